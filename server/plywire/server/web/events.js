/** Events of the page's own parts: a name, and perhaps a detail. */

/** @param {EventTarget} target @param {string} type @param {unknown} [detail] */
export function emit(target, type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail }));
}

/** @param {EventTarget} target @param {string} type @param {(detail: any) => void} act */
export function on(target, type, act) {
  target.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
}
