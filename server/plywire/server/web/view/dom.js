/** Elements from plain values. Text is never taken for markup. */

/** @typedef {Record<string, string | number | boolean | EventListener | undefined>} Attributes */
/** @typedef {Node | string} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Attributes that are functions become listeners (`onclick`), true becomes an empty attribute.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(/** @type {any} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * The element of an id; raises Error if the page has none of that kind.
 *
 * @template {Element} [E=HTMLElement]
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function byId(id, kind = /** @type {any} */ (HTMLElement)) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/** Do something when an element is clicked. @param {string} id @param {() => unknown} act */
export function onClick(id, act) {
  byId(id).addEventListener("click", () => act());
}

/** @param {string} id @param {boolean} isShown */
export function show(id, isShown) {
  byId(id).hidden = !isShown;
}

/** @param {string} id @param {boolean} isOn */
export function enable(id, isOn) {
  byId(id, HTMLButtonElement).disabled = !isOn;
}

/** A checkbox whose state this device keeps. @param {string} id @param {string} key @param {"on" | "off"} usual */
export function keptCheckbox(id, key, usual) {
  const box = byId(id, HTMLInputElement);
  box.checked = (localStorage.getItem(key) ?? usual) === "on";
  box.addEventListener("change", () => localStorage.setItem(key, box.checked ? "on" : "off"));
  return box;
}

/** Copy the text of a field. Without TLS the browser refuses: then the text is selected, and the answer is false. @param {HTMLInputElement} field */
export async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return false;
  }
}

/** Set the text of an element, unless it has it: screen readers read each change. @param {Element | string} element Or its id. @param {string} text */
export function setText(element, text) {
  const found = typeof element === "string" ? byId(element) : element;
  if (found.textContent === text) return;
  const { firstChild } = found;
  // A browser styles and lays out a changed text faster than a new node.
  if (firstChild instanceof Text && !firstChild.nextSibling) firstChild.data = text;
  else found.textContent = text;
}

/**
 * Show items in a list. The row of an item stays while the item does: a new or moved row loses the focus.
 *
 * @template {{key: string}} T
 * @param {HTMLElement} list
 * @param {T[]} items
 * @param {(item: T) => HTMLElement} make Makes the row of a new item.
 * @param {(row: HTMLElement, item: T) => void} update
 */
export function setRows(list, items, make, update) {
  const old = /** @type {HTMLElement[]} */ ([...list.children]);
  const known = new Map(old.map((row) => [row.dataset.key, row]));
  const rows = items.map((item) => {
    const row = known.get(item.key) ?? make(item);
    if (!known.has(item.key)) row.dataset.key = item.key;
    update(row, item);
    return row;
  });
  const isSame = rows.length === old.length && rows.every((row, at) => row === old[at]);
  if (!isSame) list.replaceChildren(...rows);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}
