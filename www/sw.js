// The service worker: it keeps one release of Warpscope as a whole, so that the page works without its server.
//
// The build fills in the two constants below (xtask/src/offline.rs). While they are empty, as under `cargo xtask serve`,
// the worker removes everything that an earlier release kept at this address, and itself.
'use strict';

/** Names the release: a digest of all its files. */
const RELEASE = '';
/** The SHA-256 of each file by its path, in hexadecimal; empty for HTML, which carries the name of its release. */
const FILES = {};

/** The folder of the page: the worker's scope. Other pages of the same origin are none of its business. */
const FOLDER = new URL('./', location.href);
/** Each release has a cache of its own. The space separates this folder from folders inside it. */
const PREFIX = `warpscope ${FOLDER.pathname} `;
const CACHE = PREFIX + RELEASE;
/** Marks the cache of a release that was in use, with the time since when. No file has this address. */
const MARK = new URL('?active', FOLDER).href;
/** Downloads at a time. Assumption: enough to fill a connection, few enough to leave the page its share. */
const DOWNLOADS = 4;
/** Names with a hash, as the build writes them: no release has another file of the same name. */
const HASHED = /[-/][0-9a-f]{12,16}[-._]/;

const addressOf = path => new URL(path, FOLDER).href;

/** What the server calls a file: some servers redirect `index.html` to its folder. */
const remoteOf = path => addressOf(path.replace(/(^|\/)index\.html$/, '$1') || './');

const ownCaches = async () => (await caches.keys()).filter(name => name.startsWith(PREFIX));

const kept = (path, name) => caches.match(addressOf(path), { cacheName: name, ignoreVary: true });

/** Whether a response is this release's file. A server may put scripts into HTML, which therefore has no digest. */
async function isRight(response, path) {
  if (response?.status !== 200) return false;
  if (!FILES[path]) return (await response.clone().text()).includes(`data-release="${RELEASE}"`);
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('') === FILES[path];
}

/** The same response where a cache accepts it and a navigation may end at it. */
const plain = response => {
  if (!response.redirected && response.headers.get('vary') !== '*') return response;
  const headers = new Headers(response.headers);
  headers.delete('vary');
  return new Response(response.body, { headers });
};

/** Puts a file into the cache of this release: from an earlier release, from what the browser has, or from the server. */
async function keep(cache, path, earlier) {
  for (const name of [CACHE, ...earlier]) {
    const found = await kept(path, name);
    if (await isRight(found, path)) return name === CACHE || cache.put(addressOf(path), found);
  }
  for (const how of ['force-cache', 'reload']) {
    const response = await fetch(remoteOf(path), { cache: how });
    if (await isRight(response, path)) return cache.put(addressOf(path), plain(response));
  }
  // While a release is copied to the server, its files do not belong together. A later visit tries again.
  throw new Error(`${path} on the server is not part of release ${RELEASE}.`);
}

async function install() {
  // An active release waits until the reader reloads, or closes the page.
  if (!RELEASE) return skipWaiting();
  const earlier = await ownCaches();
  const cache = await caches.open(CACHE);
  const left = Object.keys(FILES);
  const download = async () => {
    while (left.length > 0) await keep(cache, left.shift(), earlier);
  };
  try {
    await Promise.all(Array.from({ length: DOWNLOADS }, download));
  } catch (error) {
    left.length = 0;
    // A release that was in use before is still the previous one.
    if (!earlier.includes(CACHE)) await caches.delete(CACHE);
    throw error;
  }
}

/** Keeps this release and the one before it, whose pages may still be open. */
async function activate() {
  const others = (await ownCaches()).filter(name => name !== CACHE);
  if (!RELEASE) {
    await Promise.all(others.map(name => caches.delete(name)));
    return registration.unregister();
  }
  const since = new Map();
  for (const name of others) {
    const mark = await caches.match(MARK, { cacheName: name });
    if (mark) since.set(name, Number(await mark.text()));
  }
  const previous = [...since.keys()].sort((a, b) => since.get(b) - since.get(a))[0];
  // A cache without a mark was never in use; it may be one that the next release fills now.
  const isNextComing = registration.installing ?? registration.waiting;
  const old = others.filter(name => name !== previous && (since.has(name) || !isNextComing));
  await Promise.all(old.map(name => caches.delete(name)));
  const cache = await caches.open(CACHE);
  await cache.put(MARK, new Response(String(Date.now())));
  await clients.claim();
}

/** The path of a file that a release may hold, and the release that the page requests; nothing for other requests. */
function wanted(request) {
  const url = new URL(request.url);
  if (!RELEASE || request.method !== 'GET' || url.origin !== FOLDER.origin) return undefined;
  if (!url.pathname.startsWith(FOLDER.pathname) || request.headers.has('range')) return undefined;
  // A request past the caches is meant for the server.
  if (request.cache === 'reload' || request.cache === 'no-store') return undefined;
  let path = url.pathname.slice(FOLDER.pathname.length);
  if (path === '' || path.endsWith('/')) path += 'index.html';
  // A page reads its query itself; other files have none, but for the release of the page that requests them.
  if (path.endsWith('.html')) {
    // Frames of before embed.html have this address. Only embed.html may be in a frame of any page.
    if (path === 'index.html' && url.searchParams.has('embed') && 'embed.html' in FILES) path = 'embed.html';
    return path in FILES ? { path } : undefined;
  }
  const release = /^\?release=([0-9a-f]+)$/.exec(url.search)?.[1];
  if (url.search && !release) return undefined;
  return release || path in FILES || HASHED.test(path) ? { path, release } : undefined;
}

/** A kept file, or what the server answers. Without a server, a file that is not kept is a network error. */
async function answer(request, { path, release }) {
  let names = [CACHE];
  if (release) names = [PREFIX + release];
  // A page of the release before requests its hashed files.
  else if (!(path in FILES)) names = await ownCaches();
  for (const name of names) {
    const found = await kept(path, name);
    if (found) return found;
  }
  return fetch(request);
}

addEventListener('install', event => event.waitUntil(install()));
addEventListener('activate', event => event.waitUntil(activate()));
addEventListener('fetch', event => {
  const file = wanted(event.request);
  if (file) event.respondWith(answer(event.request, file));
});
addEventListener('message', event => {
  if (event.data === 'activate') skipWaiting();
  if (event.data === 'release') event.ports[0]?.postMessage(RELEASE);
});
