// An error before the page is up: says why, in the place of the loading text, or under the picture of the first view.
{
  const root = document.documentElement;
  const say = reason => {
    if (document.getElementById('page')) return;
    const picture = document.querySelector('.first-view') && !('link' in root.dataset);
    const text = document.querySelector(picture ? '.refused' : '.loading p');
    if (!text) return;
    root.dataset.refused = '';
    text.hidden = false;
    text.setAttribute('role', 'alert');
    text.textContent = reason instanceof (globalThis.WebAssembly?.CompileError ?? Error)
      ? 'Warpscope does not run in this browser: it needs WebAssembly SIMD. Use Chrome 91, Firefox 89, Safari 16.4, or later.'
      : `Warpscope failed to load (${reason?.message ?? reason}). Reload the page to try again.`;
  };
  addEventListener('unhandledrejection', event => say(event.reason));
  addEventListener('error', event => say(event.error ?? event.message));
  // A script that does not load reports to its element alone. In a sandbox without an origin, servers must allow it.
  addEventListener('error', event => {
    if (!(event.target instanceof HTMLScriptElement)) return;
    say(globalThis.origin === 'null'
      ? 'the frame has no origin. Add allow-same-origin to its sandbox attribute, or let the server send Access-Control-Allow-Origin'
      : 'a script does not arrive');
  }, true);
}
