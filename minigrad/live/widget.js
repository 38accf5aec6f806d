/**
 * A picture that moves in the browser. The twin of widget.py.
 *
 * Python decides what is shown, JavaScript moves it there. These traits are all that passes
 * between the two. They are set there and never here, and together they are always the whole
 * state, so that a view which opens late misses nothing.
 *
 * @typedef {object} Traits
 * @property {string} structure  the SVG without the texts that change; empty when there is none
 * @property {Record<string, string>} texts  those texts, by the ids of their elements
 * @property {string} words  the picture in words: its text alternative, shown when there is no SVG
 * @property {string} news   one sentence that says what the last change did
 * @property {string} said   what the program printed, and what it warned of
 * @property {string} error  what the program raised; the picture then is that of the last good run
 * @property {string} language  the language that all of them speak, as HTML names it
 *
 * @typedef {{get: <K extends keyof Traits>(name: K) => Traits[K],
 *   on: (event: string, call: () => void) => void,
 *   off: (event: string, call: () => void) => void}} Model
 */

const GLIDE = { duration: 400, easing: "ease-in-out" };
const FADE = { duration: 250, easing: "ease-out" };
const BREAK = { duration: 700, easing: "ease-in-out" };
const FLASH = { duration: 900, easing: "ease-out" };

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {{model: Model, el: HTMLElement}} view */
function render({ model, el }) {
  const host = add(el, "div", "minigrad-live");
  const stage = add(host, "div", "stage");
  const news = add(host, "p", "news", { "aria-live": "polite" });
  const said = add(host, "pre", "said");
  const error = add(host, "pre", "error", { role: "alert" });

  let drawn = /** @type {string | null} */ (null); // the structure that stands on the stage,
  let shown = /** @type {Traits["texts"]} */ ({}); // the texts in it,
  let frame = 0; // and the animation frame that is asked for, if any

  function paint() {
    frame = 0;
    const structure = model.get("structure");
    const texts = model.get("texts");
    if (structure !== drawn) {
      const next = parse(structure, model.get("words"));
      write(next, texts);
      const old = stage.firstElementChild;
      if (old instanceof SVGSVGElement && next instanceof SVGSVGElement) morph(old, next);
      else stage.replaceChildren(next);
      drawn = structure;
    }
    const picture = /** @type {Element} */ (stage.firstElementChild);
    write(picture, texts);
    mark(picture, Object.keys(texts).filter((id) => id in shown && shown[id] !== texts[id]));
    shown = texts;

    if (picture instanceof SVGSVGElement) picture.setAttribute("aria-label", model.get("words"));
    else setText(picture, model.get("words"));
    setText(news, model.get("news"));
    setText(said, model.get("said"));
    setText(error, model.get("error"));
    host.classList.toggle("failed", model.get("error") !== "");
    host.lang = model.get("language");
  }

  // However many messages arrive before the next frame, the newest state is painted, once.
  const ask = () => (frame ||= requestAnimationFrame(paint));

  paint();
  model.on("change", ask);
  return () => {
    model.off("change", ask);
    cancelAnimationFrame(frame);
  };
}

/**
 * Turn the picture `svg` into `next`: what stays glides, what is new fades in, what is gone fades
 * out, and a cut edge breaks. The element itself, and every group that stays, remain in the page.
 *
 * @param {SVGSVGElement} svg
 * @param {SVGSVGElement} next
 */
function morph(svg, next) {
  // Read every position,
  const leaving = svg.querySelector(":scope > .leaving") ?? element("g", "leaving");
  const old = new Map([...svg.children].map((child) => [keyOf(child), child]));
  old.delete(keyOf(leaving));
  const seen = new Map([...old.values()].map((node) => [node, anchorsOf(node, transformOf(node))]));
  const before = svg.getScreenCTM();

  // then write everything,
  for (const { name, value } of next.attributes) svg.setAttribute(name, value);
  svg.prepend(leaving);
  const come = [];
  let place = leaving.nextElementSibling;
  for (const child of [...next.children]) {
    const kept = old.get(keyOf(child));
    const node = kept ?? child;
    old.delete(keyOf(child));
    if (!kept) come.push(child);
    else if (!kept.isEqualNode(child)) adopt(kept, child);
    if (node === place) place = place.nextElementSibling;
    else svg.insertBefore(node, place);
  }

  // then set it moving. The frame may have moved as well: `shift` leads from old places to new.
  const after = svg.getScreenCTM();
  if (still.matches || !before?.a || !after?.a) {
    for (const node of old.values()) node.remove();
    return;
  }
  const shift = DOMMatrix.fromMatrix(after).inverse().multiply(before);
  for (const [node, anchors] of seen) {
    if (!old.has(keyOf(node))) glide(node, anchors.map((point) => point.matrixTransform(shift)));
  }
  for (const node of old.values()) leave(node, leaving, shift);
  for (const node of come) enter(node);
}

/** What is the same thing in two pictures: the id; and an edge that is cut is another edge. */
function keyOf(/** @type {Element} */ node) {
  return node.matches(".cut") ? `${node.id} cut` : node.id || `${node.tagName} ${node.classList}`;
}

/** Give `node` the attributes and the content of `next`. */
function adopt(/** @type {Element} */ node, /** @type {Element} */ next) {
  for (const name of node.getAttributeNames()) node.removeAttribute(name);
  for (const { name, value } of next.attributes) node.setAttribute(name, value);
  node.replaceChildren(...next.childNodes);
}

/** Move a node from where its anchors were to where they are. */
function glide(/** @type {Element} */ node, /** @type {DOMPoint[]} */ from) {
  for (const animation of node.getAnimations()) animation.cancel();
  const place = transformOf(node);
  const to = anchorsOf(node, place);
  if (to.length !== from.length || to.every((point, i) => distance(point, from[i]) < 0.5)) return;
  const start = carry(to, from).multiply(place);
  node.animate([{ transform: `${start}` }, { transform: `${place}` }], GLIDE);
}

/** Fade a new node in; a new cut is whole at first, and breaks. */
function enter(/** @type {Element} */ node) {
  if (node.matches(".cut")) snap(node, "normal");
  else node.animate({ opacity: [0, 1] }, FADE);
}

/** Fade a node out that is gone; a cut that is gone heals first. */
function leave(
  /** @type {Element} */ node, /** @type {Element} */ leaving, /** @type {DOMMatrix} */ shift,
) {
  if (!(node instanceof SVGGElement)) return node.remove();
  node.style.transform = `${shift.multiply(transformOf(node))}`;
  for (const named of [node, ...node.querySelectorAll("[id]")]) named.removeAttribute("id");
  leaving.append(node);
  const heals = node.matches(".cut");
  if (heals) snap(node, "reverse");
  const timing = { ...FADE, delay: heals ? BREAK.duration / 2 : 0, fill: /** @type {FillMode} */ ("both") };
  node.animate({ opacity: [1, 0] }, timing).onfinish = () => node.remove();
}

/** Break an edge: the scissors snip, then its halves part where they met. In reverse: heal it. */
function snap(/** @type {Element} */ cut, /** @type {PlaybackDirection} */ direction) {
  const timing = { ...BREAK, direction, fill: /** @type {FillMode} */ ("backwards") };
  const [tail, head] = cut.querySelectorAll(".half");
  const [start, left] = endsOf(tail);
  const [right, end] = endsOf(head);
  const middle = new DOMPoint((left.x + right.x) / 2, (left.y + right.y) / 2);
  part(tail, carry([start, left], [start, middle]));
  part(head, carry([right, end], [middle, end]));
  for (const sign of cut.querySelectorAll(":scope > :not(.half)")) {
    sign.animate({ opacity: [0, 1, 1] }, timing);
  }
  const blades = ["none", "scaleY(.2)", "none", "scaleY(.2)", "none", "none"];
  cut.querySelector(".scissors > path")?.animate({ transform: blades }, timing);

  function part(/** @type {Element} */ half, /** @type {DOMMatrix} */ whole) {
    half.animate({ transform: [`${whole}`, `${whole}`, "none"] }, timing);
  }
}

/** Flash the texts that changed, with the cells they stand in; and leave a mark till next time. */
function mark(/** @type {Element} */ picture, /** @type {string[]} */ ids) {
  for (const node of picture.querySelectorAll(".changed")) node.classList.remove("changed");
  for (const id of ids) {
    const text = find(picture, id);
    const node = text?.closest(".cell") ?? text;
    node?.classList.add("changed");
    if (still.matches || !node) continue;
    const rect = node.querySelector("rect");
    if (rect) rect.animate([{ fill: "var(--mg-flash)" }, {}], FLASH);
    else node.animate([{ fill: "var(--mg-flash-ink)" }, {}], FLASH);
  }
}

/** Put the texts in their places. */
function write(/** @type {Element} */ picture, /** @type {Traits["texts"]} */ texts) {
  for (const [id, text] of Object.entries(texts)) {
    const node = find(picture, id);
    if (node) setText(node, text);
  }
}

/** The points of a node that are where they should be: an edge's two ends, a box's centre. */
function anchorsOf(/** @type {Element} */ node, /** @type {DOMMatrix} */ place) {
  if (!(node instanceof SVGGElement) || !node.id) return [];
  const lines = [...node.querySelectorAll(":scope > path:not(.bar, .reach, .end)")];
  const ends = lines.flatMap(endsOf);
  const local = node.matches(".edge") ? [ends[0], ends[ends.length - 1]] : [new DOMPoint()];
  return local.map((point) => point.matrixTransform(place));
}

/** The two ends of a path. */
function endsOf(/** @type {Element} */ path) {
  const numbers = (path.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  return [new DOMPoint(numbers[0], numbers[1]), new DOMPoint(numbers.at(-2), numbers.at(-1))];
}

/** Where a node stands at this moment, in the middle of a movement or not. */
function transformOf(/** @type {Element} */ node) {
  return new DOMMatrix(getComputedStyle(node).transform);
}

/**
 * The transform that takes the points `a` (one or two) to the points `b`: it moves, and stretches
 * along the axis on which the two lie farther apart.
 */
function carry(/** @type {DOMPoint[]} */ a, /** @type {DOMPoint[]} */ b) {
  const move = new DOMMatrix([1, 0, 0, 1, b[0].x - a[0].x, b[0].y - a[0].y]);
  if (a.length < 2) return move;
  const [x, y] = [a[1].x - a[0].x, a[1].y - a[0].y];
  const [u, v] = [b[1].x - b[0].x - x, b[1].y - b[0].y - y];
  const along = Math.abs(x) >= Math.abs(y) ? [1 + u / x, v / x, 0, 1] : [1, 0, u / y, 1 + v / y];
  if (!along.every(Number.isFinite)) return move;
  const home = new DOMMatrix().translate(-a[0].x, -a[0].y);
  return new DOMMatrix([...along, b[0].x, b[0].y]).multiply(home);
}

function distance(/** @type {DOMPoint} */ a, /** @type {DOMPoint} */ b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Read an SVG; without one, the words stand for it. */
function parse(/** @type {string} */ source, /** @type {string} */ words) {
  if (!source) return Object.assign(document.createElement("pre"), { textContent: words });
  const { documentElement } = new DOMParser().parseFromString(source, "image/svg+xml");
  documentElement.setAttribute("tabindex", "0");
  return document.importNode(documentElement, true);
}

function find(/** @type {Element} */ picture, /** @type {string} */ id) {
  return picture.querySelector(`[id="${CSS.escape(id)}"]`);
}

function setText(/** @type {Element} */ node, /** @type {string} */ text) {
  if (node.textContent !== text) node.textContent = text;
}

function element(/** @type {string} */ tag, /** @type {string} */ name) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  node.setAttribute("class", name);
  return node;
}

/**
 * @param {HTMLElement} parent
 * @param {string} tag
 * @param {string} name
 * @param {Record<string, string>} attributes
 */
function add(parent, tag, name, attributes = {}) {
  const node = parent.appendChild(document.createElement(tag));
  node.className = name;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

export default { render };
