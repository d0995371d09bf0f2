// The policy of embed.html. In WebKit, a sandbox without an origin has no 'self': the policy names the page's folder in its
// place. The build puts the directives here.
{
  const folder = new URL('.', location.href).href.replace(/[;,]/g, encodeURIComponent);
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "POLICY".replaceAll("'self'", folder);
  document.head.prepend(meta);
}
