/** Has the browser keep a static site, so that it works without a network. The site also works where that is not allowed. */

const { trustedTypes } = /** @type {any} */ (globalThis);
const address = new URL("service-worker.js", import.meta.url).href;
const policy = trustedTypes?.createPolicy("plywire-offline", { createScriptURL: () => address });

// First the page, then what it may need later.
addEventListener("load", () => navigator.serviceWorker?.register(policy?.createScriptURL("") ?? address).catch(() => {}));
