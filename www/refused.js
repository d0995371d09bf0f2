// Where the program does not come, the page says so in its place, and why.
{
  const say = reason => {
    const boot = document.querySelector('.boot');
    if (!boot) return;
    boot.setAttribute('role', 'alert');
    boot.textContent = reason instanceof (globalThis.WebAssembly?.CompileError ?? Error)
      ? 'Warpscope does not run in this browser: it needs WebAssembly with vectors, as Chrome 91, Firefox 89, Safari 16.4 and later have.'
      : `Warpscope could not be loaded (${reason?.message ?? reason}). Reload the page to try again.`;
  };
  addEventListener('unhandledrejection', event => say(event.reason));
  addEventListener('error', event => say(event.error ?? event.message));
}
