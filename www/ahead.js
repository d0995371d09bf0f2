// Before anything is shown: the theme, and whether a link opens another view than the first one.
{
  const root = document.documentElement;
  try {
    // A frame in another page follows that page, unless its link has a theme.
    const kept = /[?&]embed/.test(location.search) ? null : localStorage.getItem('theme');
    const theme = /[#;]theme=(light|dark)(;|$)/.exec(location.hash)?.[1] ?? kept;
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // The browser denies storage: the theme is the system's.
  }
  if (location.hash.length > 1) root.dataset.link = '';
  if (/[#;]density=projector(;|$)/.test(location.hash)) root.dataset.density = 'projector';
}
