// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The page's data; core/report/page/page_data.h says what is in it. What is not seen at first waits: a plane is unpacked when it
// is first drawn, and what is told of parts is parsed when one is first selected.

const parsed = id => JSON.parse(document.getElementById(id).textContent);
const data = parsed("data");
const form = { node: 0, module: 1, region: 2, input: 3, output: 4 };
const mark = { none: 0, added: 1, removed: 2, changed: 3, absent: 4 };

// `home`, `box` and `form`: where a part is drawn, and as what; the function itself is drawn nowhere.
const nothing = Object.freeze([]); // one for the many parts that have nothing inside
const parts = data.parts.map((packed, index) => ({ index, parent: packed[0], plane: packed[1] - 1, name: data.texts[packed[2]],
  what: data.texts[packed[3]], figures: packed[4], children: nothing, home: -1, box: -1, form: -1 }));
for (const part of parts.slice(1)) {
  const around = parts[part.parent];
  if (around.children === nothing)
    around.children = [part];
  else
    around.children.push(part);
}
data.planes.forEach(([shape, , inside], plane) => inside.forEach((index, box) => {
  if (index <= 0)
    return;
  const part = parts[index];
  part.home = plane;
  part.box = box;
  part.form = data.shapes[shape][2][6 * box + 4] & 7;
}));

let inspected = null;

function sectionsOf(part) {
  inspected ??= parsed("sections");
  return inspected.parts[part.index].map(index => inspected.sections[index]);
}

const unpacked = [];

function planeOf(index) {
  return unpacked[index] ??= unpack(...data.planes[index]);
}

function unpack(shape, lines, inside) {
  const [width, height, boxes, edges] = data.shapes[shape];
  return {
    width, height,
    boxes: inside.map((part, i) => ({
      x: boxes[6 * i], y: boxes[6 * i + 1], w: boxes[6 * i + 2], h: boxes[6 * i + 3],
      form: boxes[6 * i + 4] & 7, isStack: (boxes[6 * i + 4] & 8) !== 0, isFound: (boxes[6 * i + 4] & 16) !== 0,
      category: boxes[6 * i + 5], part: part >= 0 ? parts[part] : null, packed: data.lines[lines][i], lines: null,
    })),
    edges: edges.map(packed => {
      const [from, to, bits, label, x, y] = packed;
      return { from, to, isQuiet: (bits & 1) !== 0, isBridge: (bits & 2) !== 0, isStub: (bits & 4) !== 0,
        goesOn: (bits & 8) !== 0, label: data.texts[label], x, y, points: pointsOf(packed.slice(6)) };
    }),
  };
}

// The texts of a box, which are unpacked when they are first seen.
function linesOf(box) { return box.lines ??= unpackLines(box.packed); }

function unpackLines(packed) {
  const lines = [];
  for (let i = 0; i < packed.length; i += 2)
    lines.push({ style: packed[i], text: data.texts[packed[i + 1]] });
  return lines;
}

function pointsOf(steps) {
  for (let i = 2; i < steps.length; ++i)
    steps[i] += steps[i - 2];
  return steps;
}

// ---- parts

function boxOf(part) { return part.home < 0 ? null : planeOf(part.home).boxes[part.box]; }

function isNode(part) { return part.form === form.node; }

function canOpen(part) { return part.plane >= 0; }

function titleOf(part) {
  if (part.home < 0)
    return document.querySelector("h1").textContent;
  const lines = data.lines[data.planes[part.home][1]][part.box];
  return lines.length > 0 ? data.texts[lines[1]] : part.what;
}

// From the function to the part itself.
function pathTo(part) {
  const path = [part];
  while (path[0].index !== 0)
    path.unshift(parts[path[0].parent]);
  return path;
}

// ---- states

const marksOfStates = [];

// By plane, by box or edge: what differs from the state before.
function marksAt(state) {
  return marksOfStates[state] ??= unpackMarks(data.marks[state] ?? [[], []]);
}

function unpackMarks([boxes, edges]) {
  const marks = { boxes: new Map(), edges: new Map() };
  const at = (map, plane) => map.get(plane) ?? map.set(plane, new Map()).get(plane);
  for (let i = 0; i < boxes.length; i += 4)
    at(marks.boxes, boxes[i]).set(boxes[i + 1], { mark: boxes[i + 2], badge: data.texts[boxes[i + 3]] });
  for (let i = 0; i < edges.length; i += 3)
    at(marks.edges, edges[i]).set(edges[i + 1], edges[i + 2]);
  return marks;
}

const othersOfStates = [];

// By plane, by box: the lines of boxes that read otherwise in this state.
function othersAt(state) {
  return othersOfStates[state] ??= unpackOthers(data.others[state] ?? []);
}

function unpackOthers(packed) {
  const others = new Map();
  for (let i = 0; i < packed.length; i += 3) {
    if (!others.has(packed[i]))
      others.set(packed[i], new Map());
    others.get(packed[i]).set(packed[i + 1], unpackLines(packed[i + 2]));
  }
  return others;
}

function markOf(part, state) {
  return marksAt(state).boxes.get(part.home)?.get(part.box)?.mark ?? mark.none;
}

function isInState(part, state) {
  const its = data.states.length > 0 ? markOf(part, state) : mark.none;
  return its !== mark.removed && its !== mark.absent;
}

// ---- figures

const sums = new Map();

// By part: its number, and whether that is whole; one that is not is a lower bound. What is inside a node, the branches of an
// If or the body of a loop, is in the node's own figure as often as it runs.
class Amounts {
  numbers = new Float64Array(parts.length);
  #isPart = new Uint8Array(parts.length);

  constructor(figure, state) {
    for (let i = parts.length - 1; i >= 0; --i) {
      const part = parts[i], own = part.figures[figure];
      if (own !== null) {
        this.numbers[i] = Array.isArray(own) ? own[0] : own;
        this.#isPart[i] = Array.isArray(own) ? 1 : 0;
      } else if (isNode(part)) {
        this.numbers[i] = 0;
        this.#isPart[i] = 1;
      }
      if (i > 0 && isInState(part, state)) {
        this.numbers[part.parent] += this.numbers[i];
        this.#isPart[part.parent] |= this.#isPart[i];
      }
    }
  }

  of(part) { return { number: this.numbers[part.index], isWhole: this.#isPart[part.index] === 0 }; }
}

function amountsOf(figure, state) {
  const key = `${figure} ${state}`;
  if (!sums.has(key))
    sums.set(key, new Amounts(figure, state));
  return sums.get(key);
}

const decimalUnits = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const binaryUnits = [[2 ** 60, "Ei"], [2 ** 50, "Pi"], [2 ** 40, "Ti"], [2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"], [1, ""]];
const smallUnits = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// As core/print/figures.h prints them: three significant digits.
function amountText({ number, isWhole }, unit) {
  if (number === 0)
    return isWhole ? `0 ${unit}`.trim() : "?";
  const units = unit === "B" ? binaryUnits : unit === "s" ? smallUnits : decimalUnits;
  const [factor, prefix] = units.find(([least]) => number >= least * 0.9995) ?? units.at(-1);
  const scaled = number / factor;
  const digits = scaled >= 100 || (factor === 1 && Number.isInteger(scaled)) ? 0 : scaled >= 10 ? 1 : 2;
  return `${isWhole ? "" : "≥ "}${scaled.toFixed(digits)} ${prefix}${unit}`.trim();
}
