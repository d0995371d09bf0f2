// A copy of the page from a cache can name files that the server no longer has. Then the page loads itself again, once,
// past that cache. This file is the first of the page, and its name stays the same in all releases.
{
  const root = document.documentElement;

  /** Whether the server has another release of the page than this one. */
  const isStale = async () => {
    const response = await fetch(location.href.split('#')[0], { cache: 'reload' });
    const there = /<html[^>]* data-release="(\w+)"/.exec(await response.text())?.[1];
    return response.ok && there !== undefined && there !== root.dataset.release;
  };

  const reload = async () => {
    try {
      // A service worker whose release is not complete would answer with the same page again.
      if (navigator.serviceWorker.controller) await (await navigator.serviceWorker.getRegistration())?.unregister();
    } catch {
      // Over plain HTTP and in a sandbox there is none.
    }
    location.reload();
  };

  /** Without a newer page: says it in the place of the loading text, unless www/refused.js does. */
  const say = file => {
    const text = document.querySelector('.loading p');
    if (!text || 'refused' in root.dataset || document.getElementById('page')) return;
    root.dataset.refused = '';
    text.setAttribute('role', 'alert');
    text.textContent = `Warpscope failed to load: the server has no file ${file}. Reload the page to try again.`;
  };

  let renewal;
  const renew = file => {
    if (!root.dataset.release || document.getElementById('page')) return;
    // A page that was reloaded is as new as the server has it: a second time would be a loop.
    const isReloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
    renewal ??= isReloaded ? Promise.resolve(false) : isStale().catch(() => false);
    renewal.then(stale => {
      if (stale) reload();
      else if (file) say(file);
    });
  };

  // What does not load reports to its element alone. A page without its styles starts, and says so itself.
  addEventListener('error', ({ target }) => {
    if (target instanceof HTMLScriptElement) renew(target.src.split('/').pop());
    else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') renew();
  }, true);
  // The module: Trunk's loader rejects.
  addEventListener('unhandledrejection', () => renew());
}
