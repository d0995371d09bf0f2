// While the program loads: what the address opens, and how much of it has arrived. Trunk calls it.
export default () => {
  const bar = document.querySelector('.arriving');
  const text = document.querySelector('.loading p');
  const view = /[#;]view=([a-z]+)/.exec(location.hash)?.[1];
  const what = !view ? 'Warpscope' : view === 'sm' ? 'SM' : view[0].toUpperCase() + view.slice(1);
  if (text) text.textContent = `Loading ${what}…`;
  return {
    onProgress({ current, total }) {
      const percent = Math.min(Math.floor(100 * current / total), 100);
      if (bar) {
        bar.setAttribute('aria-valuenow', percent);
        bar.style.setProperty('--arrived', `${percent}%`);
      }
      // The error text of a failed start stays.
      if (text && !('refused' in document.documentElement.dataset)) text.textContent = `Loading ${what}: ${percent} %`;
    },
    // Trunk keeps the reason to itself; www/refused.js shows it.
    onFailure(reason) {
      Promise.reject(reason);
    },
  };
};
