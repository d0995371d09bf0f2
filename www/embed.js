// The page as a frame in another page, `embed.html`: before the program is loaded, a poster with what the link names.
// The program starts when the reader presses Play, or with `?embed=show` when the frame first comes into view.
{
  const root = document.documentElement;
  const value = new URLSearchParams(location.search).get('embed');
  let start;
  globalThis.warpscopeStart = new Promise(resolve => { start = resolve; });
  // The styles and the loading text are those of a link.
  root.dataset.link = '';

  const pairs = new Map(location.hash.slice(1).split(';').filter(pair => pair.includes('=')).map(pair => {
    const at = pair.indexOf('=');
    let text = pair.slice(at + 1);
    try { text = decodeURIComponent(text); } catch { /* An invalid escape stays as it is. */ }
    return [pair.slice(0, at), text];
  }));
  // What a link leaves out. A test compares it with the program's defaults.
  const kernel = pairs.get('kernel') ?? 'transpose-tiled';
  const arch = pairs.get('arch') ?? 'tu102';
  const view = pairs.has('compare') ? 'compare' : pairs.get('view') ?? 'sm';
  const cycle = Number(pairs.get('cycle') ?? 0);
  const name = pairs.get('name') ?? (pairs.has('source') ? 'Own kernel' : kernel);
  const viewName = view === 'sm' ? 'SM' : view.charAt(0).toUpperCase() + view.slice(1);
  const theme = pairs.get('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

  const make = (tag, attributes, ...content) => {
    const element = document.createElement(tag);
    for (const [key, text] of Object.entries(attributes)) element.setAttribute(key, text);
    element.append(...content);
    return element;
  };
  const poster = document.querySelector('.poster');
  const play = make('button', { class: 'btn solid', 'data-testid': 'poster-play', type: 'button' }, 'Play');
  const open = make('a', {
    class: 'embed-open', target: '_blank', rel: 'noopener', 'data-testid': 'poster-open',
    href: new URL('.', location.href) + location.hash,
  }, 'Open in Warpscope');
  poster.append(
    make('main', { class: 'embed-main' },
      make('div', { class: 'embed-head' }, make('h1', {}, name)),
      make('div', { class: 'poster-body loading' },
        make('p', { role: 'status' }, `${viewName} view of ${kernel} on ${arch.toUpperCase()}`), play)),
    make('footer', { class: 'embed-bar' }, make('b', { class: 'num' }, `cycle ${cycle.toLocaleString('en')}`), make('span', { class: 'grow' }), open));
  poster.hidden = false;

  const begin = how => {
    if (root.dataset.embed !== 'poster') return;
    root.dataset.embed = how;
    play.disabled = true;
    start();
  };
  play.addEventListener('click', () => begin('play'));
  if (value === 'show') {
    new IntersectionObserver((entries, observer) => {
      if (entries.some(entry => entry.isIntersecting)) {
        observer.disconnect();
        begin('show');
      }
    }).observe(root);
  }

  // Before a click, the wheel scrolls the page around the frame, and keys belong to that page. Escape gives both back.
  const leave = () => delete root.dataset.active;
  addEventListener('click', () => { root.dataset.active = ''; }, true);
  addEventListener('blur', leave);
  addEventListener('wheel', event => {
    if (!('active' in root.dataset)) event.stopImmediatePropagation();
  }, { capture: true });
  addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !('active' in root.dataset)) return;
    leave();
    document.activeElement?.blur();
    parent.focus();
  }, true);
}
