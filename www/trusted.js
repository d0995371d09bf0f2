// Browsers with trusted types accept an address of a worker's script only from here: it is a file of the page's own folder.
{
  const folder = new URL('.', document.baseURI).href;
  try {
    globalThis.trustedTypes?.createPolicy('default', {
      createScriptURL: address => new URL(address, document.baseURI).href.startsWith(folder) ? address : null,
    });
  } catch {
    // A host's own policy forbids it: then the simulator runs on the page's thread.
  }
}
