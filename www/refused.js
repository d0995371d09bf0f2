// An error before the page is up: the place of the loading text says why, and what to do.
{
  const root = document.documentElement;
  const say = reason => {
    const text = document.querySelector('.loading p');
    if (!text || document.getElementById('page')) return;
    root.dataset.refused = '';
    text.setAttribute('role', 'alert');
    text.textContent = reason instanceof (globalThis.WebAssembly?.CompileError ?? Error)
      ? 'Warpscope does not run in this browser: it needs WebAssembly with vectors. Use Chrome 91, Firefox 89, Safari 16.4, or a later version.'
      : `Warpscope could not be loaded (${reason?.message ?? reason}). Reload the page to try again.`;
  };
  addEventListener('unhandledrejection', event => say(event.reason));
  addEventListener('error', event => say(event.error ?? event.message));
}
