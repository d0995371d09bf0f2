// Before anything is shown: the kept theme, and whether a link opens another view than the first one.
{
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // The browser denies storage: the theme is the system's.
  }
  if (location.hash.length > 1) root.dataset.link = '';
  if (/[#;]density=projector(;|$)/.test(location.hash)) root.dataset.density = 'projector';
}
