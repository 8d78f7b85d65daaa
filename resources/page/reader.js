// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader does: opens, selects, pans, zooms, searches, colours, steps.

const byId = id => document.getElementById(id);
const canvas = byId("graph"), context = canvas.getContext("2d");
const isDark = matchMedia("(prefers-color-scheme: dark)");
const leastZoom = 0.02, mostZoom = 4, firstZoom = 0.45, mostHits = 50;

const open = new Set(data.open);
let selected = null; // a box
let state = Math.max(0, data.states.length - 1), figure = data.colour;
let scene, view = { x: 0, y: 0, zoom: 1 }, isPrinting = false, isWaiting = false;

const isOpen = part => open.has(part.index);
const palette = () => data.palettes[isDark.matches && !isPrinting ? "dark" : "light"];

// ---- what is shown

// On paper the picture has its own form, up to that of a sheet.
function size() {
  if (isPrinting)
    return { width: 1000, height: Math.min(1300, Math.max(300, 1000 * scene.height / scene.width)), ratio: 3 };
  return { width: canvas.clientWidth, height: canvas.clientHeight, ratio: devicePixelRatio || 1 };
}

// A closed box's share of the largest figure that is in the picture.
function tinter() {
  if (figure < 0)
    return () => null;
  const amounts = amountsOf(figure, state), colours = palette();
  const shown = scene.boxes.filter(item => item.box.part && !item.isOpen);
  const most = shown.reduce((largest, item) => Math.max(largest, amounts.numbers[item.box.part.index]), 0);
  return box => {
    if (!box.part)
      return null;
    const amount = amounts.of(box.part);
    const value = amountText(amount, data.figures[figure].unit);
    if (amount.number === 0)
      return { fill: colours.card, text: colours.text, value: amount.isWhole ? "" : value };
    const step = Math.round(amount.number / most * (colours.scale.length - 1));
    return { fill: colours.scale[step], text: colours.onScale[step], value };
  };
}

function paint() {
  isWaiting = false;
  const now = size();
  const width = Math.round(now.width * now.ratio), height = Math.round(now.height * now.ratio);
  if (canvas.width !== width || canvas.height !== height)
    Object.assign(canvas, { width, height });
  draw(context, scene, view, now, { palette: palette(), tintOf: tinter(), selected });
}

function repaint() {
  if (!isWaiting)
    requestAnimationFrame(paint);
  isWaiting = true;
}

// Lays out anew. A box that the reader looks at stays where it is on the screen.
function rebuild(anchor) {
  const before = anchor && scene?.of.get(anchor);
  scene = sceneOf(isOpen, state);
  const after = anchor && scene.of.get(anchor);
  if (before && after) {
    view.x += (before.x - after.x) * view.zoom;
    view.y += (before.y - after.y) * view.zoom;
  }
  repaint();
}

function show(box) {
  const isReplaced = document.activeElement?.closest("#inspector, #path"); // the link or button that the reader used
  selected = box;
  fillInspector(byId("inspector"), box, { lines: linesNow(box), state, figure, palette: palette(), isOpen, reveal, toggle });
  const around = pathTo(box?.part ?? parts[0]);
  byId("path").replaceChildren(...around.flatMap((part, i) => {
    const button = made("button", titleOf(part));
    button.addEventListener("click", () => reveal(part));
    if (i + 1 === around.length)
      button.setAttribute("aria-current", "location");
    return i === 0 ? [button] : [made("span", "›"), button];
  }));
  byId("told").textContent = box ? spoken(box) : "";
  if (isReplaced)
    canvas.focus();
  repaint();
}

function linesNow(box) {
  const item = scene.of.get(box);
  return item ? linesIn(item) : box ? linesOf(box) : [];
}

function spoken(box) {
  const texts = linesNow(box).map(line => line.text);
  if (box.part && canOpen(box.part))
    texts.push(isOpen(box.part) ? "open" : "closed");
  if (box.part && figure >= 0)
    texts.push(amountText(amountsOf(figure, state).of(box.part), data.figures[figure].unit));
  return texts.join(", ");
}

// ---- view

function fit() {
  const { width, height } = size(), room = 0.98;
  view.zoom = Math.min(1.25, Math.max(leastZoom, Math.min(width / scene.width, height / scene.height) * room));
  view.x = (width - scene.width * view.zoom) / 2;
  view.y = Math.max(0, (height - scene.height * view.zoom) / 2);
  repaint();
}

// At first a picture that would be too small to read shows its beginning.
function fitReadably() {
  fit();
  if (view.zoom >= firstZoom)
    return;
  const { width } = size(), first = scene.boxes[0];
  view = { zoom: firstZoom, x: 0, y: 0 };
  view.x = width / 2 - (first ? first.x + first.w / 2 : scene.width / 2) * view.zoom;
  if (scene.width * view.zoom < width)
    view.x = (width - scene.width * view.zoom) / 2;
}

function zoomAt(x, y, factor) {
  const zoom = Math.min(mostZoom, Math.max(leastZoom, view.zoom * factor));
  view.x = x - (x - view.x) * zoom / view.zoom;
  view.y = y - (y - view.y) * zoom / view.zoom;
  view.zoom = zoom;
  repaint();
}

function zoomCentre(factor) { zoomAt(size().width / 2, size().height / 2, factor); }

function bringIntoSight(box) {
  const item = scene.of.get(box), { width, height } = size();
  if (!item)
    return;
  if (view.zoom < firstZoom)
    view.zoom = 0.8;
  const left = item.x * view.zoom + view.x, top = item.y * view.zoom + view.y;
  const right = left + item.w * view.zoom, bottom = top + item.h * view.zoom, edge = 24;
  if (left < edge || right > width - edge)
    view.x = Math.max(edge, (width - item.w * view.zoom) / 2) - item.x * view.zoom;
  if (top < edge || bottom > height - edge)
    view.y = Math.max(edge, (height - item.h * view.zoom) / 2) - item.y * view.zoom;
  repaint();
}

// ---- opening

function toggle(part) {
  if (isOpen(part))
    open.delete(part.index);
  else
    open.add(part.index);
  rebuild(boxOf(part));
  show(boxOf(part));
}

// Opens what is around a part and selects it.
function reveal(part) {
  if (part.index === 0) {
    show(null);
    return fit();
  }
  for (const around of pathTo(part).slice(1, -1))
    open.add(around.index);
  rebuild(boxOf(part));
  show(boxOf(part));
  bringIntoSight(boxOf(part));
}

function openAll(isWanted) {
  open.clear();
  for (const part of parts.slice(1))
    if (isWanted && canOpen(part))
      open.add(part.index);
  rebuild();
  show(null);
  fit();
}

// ---- pointer

function boxAt(x, y) {
  const at = { x: (x - view.x) / view.zoom, y: (y - view.y) / view.zoom };
  return scene.boxes.findLast(({ x: left, y: top, w, h }) =>
    at.x >= left && at.x <= left + w && at.y >= top && at.y <= top + h);
}

function isOnSign(item, x, y) {
  const dx = (x - view.x) / view.zoom - item.x, dy = (y - view.y) / view.zoom - item.y;
  return item.box.part && canOpen(item.box.part) && dx < 28 && dy < headerHeight;
}

const pointers = new Map();
let dragged = 0;

function positionOf(event) {
  const frame = canvas.getBoundingClientRect();
  return { x: event.clientX - frame.left, y: event.clientY - frame.top };
}

function spread() {
  const [a, b] = [...pointers.values()];
  return b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) } : { ...a, distance: 0 };
}

canvas.addEventListener("pointerdown", event => {
  if (event.button !== 0) // the menu of another button takes the end of its press
    return;
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, positionOf(event));
  dragged = pointers.size > 1 ? Infinity : 0;
});

canvas.addEventListener("pointermove", event => {
  if (!pointers.has(event.pointerId))
    return;
  const before = spread();
  pointers.set(event.pointerId, positionOf(event));
  const after = spread();
  dragged += Math.hypot(after.x - before.x, after.y - before.y);
  if (dragged < 4)
    return;
  canvas.classList.add("moving");
  view.x += after.x - before.x;
  view.y += after.y - before.y;
  if (before.distance > 0)
    zoomAt(after.x, after.y, after.distance / before.distance);
  repaint();
});

function released(event) {
  const wasDown = pointers.delete(event.pointerId);
  canvas.classList.toggle("moving", pointers.size > 0);
  return wasDown;
}

canvas.addEventListener("pointerup", event => {
  if (!released(event) || dragged >= 4)
    return;
  const { x, y } = positionOf(event), item = boxAt(x, y);
  if (item && isOnSign(item, x, y))
    toggle(item.box.part);
  else
    show(item?.box ?? null);
});

canvas.addEventListener("pointercancel", released);

canvas.addEventListener("dblclick", event => {
  const { x, y } = positionOf(event), item = boxAt(x, y);
  if (item?.box.part && canOpen(item.box.part) && !isOnSign(item, x, y))
    toggle(item.box.part);
});

canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const { x, y } = positionOf(event), scale = event.deltaMode === 1 ? 30 : 1;
  if (event.ctrlKey || event.metaKey)
    return zoomAt(x, y, Math.exp(-event.deltaY * scale / 300));
  view.x -= (event.shiftKey ? event.deltaY : event.deltaX) * scale;
  view.y -= event.shiftKey ? 0 : event.deltaY * scale;
  repaint();
}, { passive: false });

// ---- keyboard

// The nearest box of the same plane in a direction; what is beside the way counts as further.
function neighbour(item, dx, dy) {
  const centre = ({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 });
  const from = centre(item);
  let best = null, least = Infinity;
  for (const other of scene.boxes) {
    if (other === item || other.plane !== item.plane)
      continue;
    const to = centre(other);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    if (along > 1 && along + 2 * aside < least) {
      least = along + 2 * aside;
      best = other;
    }
  }
  return best;
}

function goto(dx, dy) {
  const item = scene.of.get(selected);
  const next = item ? neighbour(item, dx, dy) : scene.boxes.find(each => each.box.part);
  if (next) {
    show(next.box);
    bringIntoSight(next.box);
  }
}

// Opens a module and goes in; an open one is closed.
function enter() {
  const part = selected?.part;
  if (!part || !canOpen(part))
    return;
  const wasOpen = isOpen(part);
  toggle(part);
  const first = planeOf(part.plane).boxes.find(box => box.part && scene.of.has(box));
  if (!wasOpen && first)
    show(first);
  bringIntoSight(selected);
}

function leave() {
  const item = scene.of.get(selected);
  if (item)
    reveal(parts.find(part => part.plane === item.plane));
}

const keys = {
  ArrowUp: () => goto(0, -1), ArrowDown: () => goto(0, 1), ArrowLeft: () => goto(-1, 0), ArrowRight: () => goto(1, 0),
  Enter: enter, Backspace: leave, Escape: () => show(null),
  "+": () => zoomCentre(1.25), "=": () => zoomCentre(1.25), "-": () => zoomCentre(0.8), 0: fit,
};

canvas.addEventListener("keydown", event => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

document.addEventListener("keydown", event => {
  if (event.key !== "/" || ["INPUT", "SELECT"].includes(document.activeElement.tagName))
    return;
  event.preventDefault();
  byId("search").focus();
});

// ---- search

function hitsOf(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0)
    return null;
  return parts.filter(part => {
    if (part.index === 0 || !isInState(part, state))
      return false;
    const whole = `${part.name} ${part.what} ${titleOf(part)}`.toLowerCase();
    return words.every(word => whole.includes(word));
  });
}

function search() {
  const list = byId("hits"), field = byId("search"), hits = hitsOf(field.value);
  list.hidden = hits === null;
  if (hits === null)
    return;
  list.style.top = `${field.offsetTop + field.offsetHeight + 4}px`;
  list.replaceChildren(...hits.slice(0, mostHits).map(part => {
    const button = made("button", `${part.name || titleOf(part)} `), item = document.createElement("li");
    button.append(made("small", part.what));
    button.addEventListener("click", () => choose(part));
    item.append(button);
    return item;
  }));
  if (hits.length === 0 || hits.length > mostHits)
    list.append(made("li", hits.length === 0 ? "Nothing has this name" : `${hits.length - mostHits} more`));
}

function choose(part) {
  byId("hits").hidden = true;
  reveal(part);
  canvas.focus();
}

byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", event => {
  const first = hitsOf(event.target.value)?.[0];
  if (event.key === "Enter" && first)
    choose(first);
  else if (event.key === "Escape")
    byId("hits").hidden = true;
  else if (event.key === "ArrowDown")
    byId("hits").querySelector("button")?.focus();
});
byId("hits").addEventListener("keydown", event => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (step)
    (event.target.parentElement[step]?.querySelector("button") ?? byId("search")).focus();
  if (event.key === "Escape")
    byId("search").focus();
});
document.addEventListener("pointerdown", event => {
  if (!event.target.closest("#hits, #search"))
    byId("hits").hidden = true;
});

// ---- controls

function setState(to) {
  state = Math.min(Math.max(to, 0), Math.max(0, data.states.length - 1));
  byId("state").value = state;
  byId("before").disabled = state === 0;
  byId("after").disabled = state + 1 >= data.states.length;
  rebuild();
  show(selected);
  if (data.states.length > 0)
    byId("told").textContent = data.states[state];
}

byId("figure").append(...data.figures.map(({ name }, i) => made("option", `by ${name}`, { value: i })));
byId("figure").addEventListener("change", event => {
  figure = Number(event.target.value);
  show(selected);
});
byId("figure").value = figure;
byId("steps").hidden = data.states.length === 0;
byId("state").append(...data.states.map((name, i) => made("option", name, { value: i })));
byId("state").addEventListener("change", event => setState(Number(event.target.value)));
byId("before").addEventListener("click", () => setState(state - 1));
byId("after").addEventListener("click", () => setState(state + 1));
byId("open-all").addEventListener("click", () => openAll(true));
byId("close-all").addEventListener("click", () => openAll(false));
byId("fit").addEventListener("click", fit);
byId("larger").addEventListener("click", () => zoomCentre(1.25));
byId("smaller").addEventListener("click", () => zoomCentre(0.8));

isDark.addEventListener("change", () => show(selected));
new ResizeObserver(paint).observe(canvas); // before the browser shows a stretched picture

// On paper everything that is open is shown, in light colours.
let onScreen = null;
addEventListener("beforeprint", () => {
  onScreen = { ...view };
  isPrinting = true;
  fit();
  paint();
});
addEventListener("afterprint", () => {
  isPrinting = false;
  view = onScreen ?? view;
  paint();
});

setState(state);
fitReadably();
paint();
