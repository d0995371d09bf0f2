// Shows why the program did not start, in its place.
{
  const say = reason => {
    const boot = document.querySelector('.boot');
    if (!boot) return;
    boot.setAttribute('role', 'alert');
    boot.textContent = reason instanceof (globalThis.WebAssembly?.CompileError ?? Error)
      ? 'Warpscope does not run in this browser: it needs WebAssembly SIMD. Use Chrome 91, Firefox 89, Safari 16.4, or later.'
      : `Warpscope failed to load (${reason?.message ?? reason}). Reload the page to try again.`;
  };
  addEventListener('unhandledrejection', event => say(event.reason));
  addEventListener('error', event => say(event.error ?? event.message));
}
