// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything is while some parts are open. Each plane was laid out with its boxes closed. An open box needs more
// room; the plane is stretched there, in x and in y by itself: where several open boxes share a range of x, the widest
// counts. What stood left, right, above or below still does, and nothing that did not overlap overlaps.

const headerHeight = 32;

// Maps positions so that each span gets the room it needs. O(spans²)
function stretched(spans) {
  const wide = spans.filter(span => span.need > span.to - span.from);
  const cuts = [...new Set(wide.flatMap(span => [span.from, span.to]))].sort((a, b) => a - b);
  const places = cuts.slice(0, 1);
  for (let i = 0; i + 1 < cuts.length; ++i) {
    let factor = 1;
    for (const span of wide)
      if (span.from <= cuts[i] && span.to >= cuts[i + 1])
        factor = Math.max(factor, span.need / (span.to - span.from));
    places.push(places[i] + (cuts[i + 1] - cuts[i]) * factor);
  }
  return x => {
    if (cuts.length === 0 || x <= cuts[0])
      return x;
    let i = 0;
    while (i + 1 < cuts.length && cuts[i + 1] < x)
      ++i;
    if (i + 1 === cuts.length)
      return places[i] + x - cuts[i];
    return places[i] + (x - cuts[i]) * (places[i + 1] - places[i]) / (cuts[i + 1] - cuts[i]);
  };
}

// A plane with what is open in it: `rects` by box, `inner` by box, curves and labels by edge.
function placed(index, isOpen) {
  const plane = planeOf(index);
  const inner = plane.boxes.map(box =>
    box.part && canOpen(box.part) && isOpen(box.part) ? placed(box.part.plane, isOpen) : null);
  const { boxes, edges } = plane;
  if (inner.every(each => each === null))
    return { index, plane, inner, rects: boxes, width: plane.width, height: plane.height, lines: edges };
  const sizes = boxes.map((box, i) => inner[i]
    ? { w: Math.max(box.w, inner[i].width), h: headerHeight + inner[i].height } : { w: box.w, h: box.h });
  const mapX = stretched(boxes.map((box, i) => ({ from: box.x, to: box.x + box.w, need: sizes[i].w })));
  const mapY = stretched(boxes.map((box, i) => ({ from: box.y, to: box.y + box.h, need: sizes[i].h })));
  const rects = boxes.map((box, i) => ({
    x: (mapX(box.x) + mapX(box.x + box.w) - sizes[i].w) / 2, y: (mapY(box.y) + mapY(box.y + box.h) - sizes[i].h) / 2,
    ...sizes[i],
  }));
  return { index, plane, inner, rects, width: mapX(plane.width), height: mapY(plane.height),
    lines: edges.map(edge => bent(edge, boxes, rects, mapX, mapY)) };
}

// The distance that an end of an edge moves: with its box, whose nearer side it stays at.
function shiftOf(x, y, before, after) {
  const isBelow = y > before.y + before.h / 2;
  return {
    x: after.x + after.w / 2 - before.x - before.w / 2,
    y: isBelow ? after.y + after.h - before.y - before.h : after.y - before.y,
  };
}

function bent(edge, boxes, rects, mapX, mapY) {
  const old = edge.points, end = old.length;
  const first = shiftOf(old[0], old[1], boxes[edge.from], rects[edge.from]);
  const last = shiftOf(old[end - 2], old[end - 1], boxes[edge.to], rects[edge.to]);
  const points = old.map((number, i) => {
    const axis = i % 2 ? "y" : "x";
    if (edge.isStub || i >= end - 4)
      return number + last[axis];
    return i < 4 ? number + first[axis] : (i % 2 ? mapY : mapX)(number);
  });
  let near = 0; // the point that the label moves with
  for (let i = 0; i < end; i += 2)
    if (Math.abs(old[i + 1] - edge.y) < Math.abs(old[near + 1] - edge.y))
      near = i;
  return { points, x: edge.x + points[near] - old[near], y: edge.y + points[near + 1] - old[near + 1] };
}

// All boxes and edges to draw in a state, in the order of drawing, with their places in the picture.
function sceneOf(isOpen, state) {
  const scene = { boxes: [], edges: [], of: new Map() };
  const whole = placed(0, isOpen);
  addTo(scene, whole, 0, 0, 0, state);
  return Object.assign(scene, { width: whole.width, height: whole.height });
}

// The texts of an item: those of its box, unless they are others in this state.
function linesIn(item) { return item.others ?? linesOf(item.box); }

function addTo(scene, { index, plane, inner, rects, lines }, left, top, depth, state) {
  const boxMarks = marksAt(state).boxes.get(index) ?? new Map();
  const others = othersAt(state).get(index) ?? new Map();
  const edgeMarks = marksAt(state).edges.get(index) ?? new Map();
  const isSeen = plane.boxes.map((box, i) => boxMarks.get(i)?.mark !== mark.absent);
  const isLinked = plane.boxes.map(() => false);
  plane.edges.forEach((edge, i) => {
    const its = edgeMarks.get(i) ?? mark.none;
    if (its === mark.absent || !isSeen[edge.from] || !isSeen[edge.to])
      return;
    isLinked[edge.from] = isLinked[edge.to] = true;
    scene.edges.push(drawnAt(left, top, edge, lines[i], its));
  });
  plane.boxes.forEach((box, i) => {
    // A pill without lines is of another state.
    if (!isSeen[i] || (!box.part && !isLinked[i] && plane.edges.some(edge => edge.from === i || edge.to === i)))
      return;
    const marked = boxMarks.get(i), rect = rects[i];
    const item = { box, plane: index, depth, isOpen: inner[i] !== null, mark: marked?.mark ?? mark.none,
      badge: marked?.badge ?? "", others: others.get(i) ?? null, x: left + rect.x, y: top + rect.y, w: rect.w, h: rect.h };
    scene.boxes.push(item);
    scene.of.set(box, item);
    if (inner[i])
      addTo(scene, inner[i], item.x + (item.w - inner[i].width) / 2, item.y + headerHeight, depth + 1, state);
  });
}

// An edge at its place in the picture, and the rectangle that its points are in.
function drawnAt(dx, dy, edge, line, its) {
  const isMoved = dx !== 0 || dy !== 0, points = isMoved ? line.points.slice() : line.points;
  let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
  for (let i = 0; i < points.length; i += 2) {
    if (isMoved) {
      points[i] += dx;
      points[i + 1] += dy;
    }
    left = Math.min(left, points[i]);
    right = Math.max(right, points[i]);
    top = Math.min(top, points[i + 1]);
    bottom = Math.max(bottom, points[i + 1]);
  }
  return { edge, mark: its, points, x: dx + line.x, y: dy + line.y, left, right, top, bottom };
}
