// An error before the page is up: says why, in the place of the loading text, or under the picture of the first view.
// A trap of the module after the start: a banner says so, and the editor's text is kept for the next start.
{
  const root = document.documentElement;
  // The module without sections (WebAssembly Core Specification, section 5.5.16): it fails only where a policy forbids all.
  const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  const isForbidden = () => {
    try {
      return !new WebAssembly.Module(EMPTY);
    } catch {
      return true;
    }
  };
  const refusal = reason => {
    if (location.protocol === 'file:') return 'Warpscope does not run from a file, because browsers load modules from servers only. Run “python3 -m http.server” in this folder, and open http://localhost:8000.';
    if (!globalThis.WebAssembly) return 'Warpscope needs WebAssembly, which is turned off in this browser. In Lockdown Mode, exclude this site.';
    if (isForbidden()) return 'The server’s Content-Security-Policy forbids WebAssembly. Add \'wasm-unsafe-eval\' to its script-src.';
    if (reason instanceof WebAssembly.CompileError) return 'Warpscope does not run in this browser: it needs WebAssembly SIMD. Use Chrome 91, Firefox 89, Safari 16.4, or later.';
    return `Warpscope failed to load (${reason?.message ?? reason}). Reload the page to try again.`;
  };
  const say = reason => {
    const picture = document.querySelector('.first-view') && !('link' in root.dataset);
    const text = document.querySelector(picture ? '.refused' : '.loading p');
    if (!text) return;
    root.dataset.refused = '';
    text.hidden = false;
    text.setAttribute('role', 'alert');
    text.textContent = refusal(reason);
  };
  // The folder of the page is in the key: other pages of the origin have their own storage. See src/page/storage.rs.
  const KEPT = `warpscope:${location.pathname.replace(/[^/]*$/, '')}:rescued`;
  const button = (name, testid, press) => {
    const element = document.createElement('button');
    element.className = 'btn line';
    element.textContent = name;
    element.dataset.testid = testid;
    element.addEventListener('click', press);
    return element;
  };
  // Shows the text in a field, all of it selected: where the page cannot use the clipboard, the keyboard can.
  const unfold = (banner, text) => {
    if (banner.querySelector('textarea')) return;
    const field = document.createElement('textarea');
    field.value = text;
    field.readOnly = true;
    field.setAttribute('aria-label', 'Text of the editor');
    field.dataset.testid = 'banner-text';
    banner.append(field);
    field.select();
  };
  // Whether the reader has left the page. If the next document has another process, Firefox 153 stops the scripts of the
  // page anywhere inside a function, and then still calls its listeners, which find the state half changed. It keeps no
  // such page for a return.
  let isLeft = false;
  addEventListener('pagehide', () => { isLeft = true; });
  addEventListener('pageshow', () => { isLeft = false; });
  const stop = why => {
    if (isLeft || document.querySelector('.banner')) return;
    const text = document.querySelector('[data-testid=editor]')?.value ?? '';
    let isKept = true;
    try {
      if (text) localStorage.setItem(KEPT, JSON.stringify({ link: location.hash, text }));
    } catch {
      isKept = false;
    }
    const banner = document.createElement('div');
    banner.className = 'banner';
    banner.dataset.testid = 'banner';
    banner.setAttribute('role', 'alert');
    const words = document.createElement('p');
    words.textContent = `Warpscope stopped ${why}. The link in the address bar contains your work: reload the page to continue.`;
    banner.append(words, button('Reload', 'banner-reload', () => location.reload()));
    if (text) {
      banner.append(button('Copy the kernel', 'banner-copy', async ({ target }) => {
        try {
          await navigator.clipboard.writeText(text);
          target.textContent = 'Copied';
        } catch {
          unfold(banner, text);
        }
      }));
    }
    if (!isKept) unfold(banner, text);
    // An open dialog would cover the banner and block its buttons.
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    document.body.append(banner);
  };
  // The reason, if the error is a trap of the module. Browsers report the end of the stack as a RangeError, or as an
  // InternalError, of any script: the module's has its functions on the stack.
  const trap = error => {
    if (error instanceof (globalThis.WebAssembly?.RuntimeError ?? Array)) return `because of an internal error, or because the browser’s memory is used up (${error.message})`;
    const isDeep = error instanceof RangeError || error?.name === 'InternalError';
    return isDeep && /wasm/.test(error.stack) ? `because the input is nested too deeply, or is too large (${error.message})` : undefined;
  };
  const hear = error => {
    if (!document.getElementById('page')) return say(error);
    const why = trap(error);
    if (why) stop(why);
  };
  addEventListener('unhandledrejection', event => hear(event.reason));
  addEventListener('error', event => hear(event.error ?? event.message));
  // The module's panic, with its place: the trap follows.
  addEventListener('warpscope-panic', event => {
    if (isLeft) event.preventDefault();
    stop(`because of an internal error (${event.detail})`);
  });
  // What does not load reports to its element alone. In a sandbox without an origin, servers must allow it.
  addEventListener('error', ({ target }) => {
    if (target instanceof HTMLScriptElement) {
      if (document.getElementById('page')) return;
      say(globalThis.origin === 'null'
        ? 'the frame has no origin. Add allow-same-origin to its sandbox attribute, or let the server send Access-Control-Allow-Origin'
        : 'a script does not arrive');
    } else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') {
      const note = document.createElement('p');
      note.className = 'notice';
      note.dataset.testid = 'no-style';
      note.setAttribute('role', 'alert');
      note.textContent = 'A style sheet of Warpscope did not load: the page has no layout. Reload the page to try again.';
      const show = () => document.body.prepend(note);
      if (document.body) show();
      else addEventListener('DOMContentLoaded', show);
    }
  }, true);
}
