/**
 * Keeps a static site in the browser, so that it works without a network.
 *
 * `plywire page build` writes a line before this script, which sets `SITE`: a version, the files that are
 * kept from the start, by their hashes, and those that are kept when they are first read. A new version is
 * fetched in the background, and takes over at the next visit. Reports have no versions: all their pages
 * are those of the host, unless it does not answer.
 */

/** @type {{version: string, files: Record<string, string>, later: string[]}} */
const { version, files, later } = /** @type {any} */ (self).SITE;
const worker = /** @type {any} */ (self);
const scope = worker.registration.scope;
/** Sites of the same origin share all caches. */
const CACHES = `plywire ${scope} `;
const CACHE = CACHES + version;
const REPORTS = new URL("reports/", scope).href;
/** The addresses of all files. Other sites can be in a folder below this one. */
const OWN = new Set([...Object.keys(files), ...later].map((path) => new URL(path, scope).href));

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = origin + pathname + (pathname.endsWith("/") ? "index.html" : "");
  if (event.request.method === "GET" && OWN.has(address)) event.respondWith(answer(event, address));
});

/** Keep all files of this version. A file of another version fails, while its host is being changed. */
async function fill() {
  const cache = await caches.open(CACHE);
  const fetched = Object.entries(files).map(async ([path, integrity]) => {
    const address = new URL(path, scope).href;
    await cache.put(address, isolated(await fetch(address, { integrity, cache: "no-cache" })));
  });
  await Promise.all(fetched);
}

/** Drop older versions of this site. */
async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Answer with the file that is kept; for others and reports ask the host, and keep what it says. @param {any} event @param {string} address */
async function answer(event, address) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(address);
  if (kept && !address.startsWith(REPORTS)) return kept;
  try {
    const response = await fetch(event.request, { cache: "no-cache" });
    if (!response.ok) return kept ?? response;
    // A full disk is no reason to show nothing.
    event.waitUntil(cache.put(address, isolated(response.clone())).catch(() => {}));
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** The response of a page that may share memory with its engine; few static hosts can send these fields. @param {Response} response */
function isolated({ body, headers }) {
  return new Response(body, {
    headers: {
      "Content-Type": headers.get("Content-Type") ?? "",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    },
  });
}
