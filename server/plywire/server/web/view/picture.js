/** The board as a picture, and files that the user saves. */

import { svg } from "./dom.js";

/** The styles that a picture takes from the page. */
const STYLES = [
  ...["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "r", "paint-order"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "mix-blend-mode"],
];
/** How wide a picture is, in pixels. */
const WIDTH = 1024;

/** A drawing as a file of its own, with the page's styles and background. @param {SVGSVGElement} drawing @param {number} [across] In pixels. */
export function toSvg(drawing, across = WIDTH) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(originals[at]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (name === "mix-blend-mode" && value !== "normal") /** @type {SVGElement} */ (element).style.mixBlendMode = value;
      else if (value && value !== "auto" && name !== "mix-blend-mode") element.setAttribute(name, value);
    }
  });
  const { x, y, width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("width", String(across));
  copy.setAttribute("height", String(Math.round((across * height) / width)));
  copy.prepend(svg("rect", { x, y, width, height, fill: getComputedStyle(document.body).backgroundColor }));
  return new XMLSerializer().serializeToString(copy);
}

/** The file as PNG. Fails if the browser cannot draw it. @param {string} text @returns {Promise<Blob>} */
export async function toPng(text) {
  const { canvas } = await draw(text);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("there is no picture"))), "image/png");
  });
}

/** The file on a new canvas. Fails if the browser cannot draw it. @param {string} text */
export async function draw(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    if (!context) throw new Error("there is no picture");
    context.drawImage(image, 0, 0);
    return context;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Save a file. @param {string} name @param {Blob | string} content */
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading it
}
