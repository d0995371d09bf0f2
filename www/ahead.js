// Before anything is shown: the theme, and whether a link opens another view than the first one.
{
  const root = document.documentElement;
  // `embed.html` is the page as a frame in another page.
  const isEmbed = 'embed' in root.dataset;
  try {
    // A frame in another page follows that page, unless its link has a theme.
    // The key has the folder of the page; older versions stored under the name alone. See src/page/storage.rs.
    const key = `warpscope:${location.pathname.replace(/[^/]*$/, '')}:theme`;
    const kept = isEmbed ? null : localStorage.getItem(key) ?? localStorage.getItem('theme');
    const theme = /[#;]theme=(light|dark)(;|$)/.exec(location.hash)?.[1] ?? kept;
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // The browser denies storage: the theme is the system's.
  }
  if (location.hash.length > 1) root.dataset.link = '';
  if (/[#;]density=projector(;|$)/.test(location.hash)) root.dataset.density = 'projector';
  // Frames of before `embed.html` have the address `?embed`.
  if (!isEmbed && new URLSearchParams(location.search).has('embed')) {
    // The program does not start here.
    globalThis.warpscopeStart = new Promise(() => {});
    root.dataset.link = '';
    location.replace(new URL(`embed.html${location.search}${location.hash}`, location.href));
  }
}
