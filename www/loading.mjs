// How much of the page's module is loaded, which Trunk's script reports.
export default function loading() {
  const root = document.documentElement;
  const bar = document.querySelector('.loading-bar');
  return {
    onProgress({ current, total }) {
      const share = total > 0 ? Math.min(current / total, 1) : 0;
      root.style.setProperty('--loaded', share.toFixed(3));
      bar?.setAttribute('aria-valuenow', Math.round(100 * share));
    },
    // Trunk's script takes the error and drops it: refused.js shows it.
    onFailure: reason => { Promise.reject(reason); },
  };
}
