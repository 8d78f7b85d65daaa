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
    return { index, plane, inner, rects: boxes, width: plane.width, height: plane.height,
      lines: edges.map(edge => ({ points: edge.points, x: edge.x, y: edge.y })) };
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

function addTo(scene, { index, plane, inner, rects, lines }, left, top, depth, state) {
  const boxMarks = marksAt(state).boxes.get(index) ?? new Map();
  const others = othersAt(state).get(index) ?? new Map();
  const edgeMarks = marksAt(state).edges.get(index) ?? new Map();
  const isSeen = plane.boxes.map((box, i) => boxMarks.get(i)?.mark !== mark.absent);
  const isLinked = plane.boxes.map(() => false);
  const edges = plane.edges.map((edge, i) => ({ edge, line: lines[i], mark: edgeMarks.get(i) ?? mark.none }))
    .filter(({ edge, mark: its }) => its !== mark.absent && isSeen[edge.from] && isSeen[edge.to]);
  for (const { edge } of edges)
    isLinked[edge.from] = isLinked[edge.to] = true;
  plane.boxes.forEach((box, i) => {
    // A pill without lines is of another state.
    if (!isSeen[i] || (!box.part && !isLinked[i] && plane.edges.some(edge => edge.from === i || edge.to === i)))
      return;
    const item = { box, plane: index, depth, isOpen: inner[i] !== null, mark: boxMarks.get(i)?.mark ?? mark.none,
      badge: boxMarks.get(i)?.badge ?? "", lines: others.get(i) ?? box.lines, x: left + rects[i].x, y: top + rects[i].y, w: rects[i].w, h: rects[i].h };
    scene.boxes.push(item);
    scene.of.set(box, item);
    if (inner[i])
      addTo(scene, inner[i], item.x + (item.w - inner[i].width) / 2, item.y + headerHeight, depth + 1, state);
  });
  for (const { edge, line, mark: its } of edges) {
    const points = line.points.map((number, i) => number + (i % 2 ? top : left));
    const drawn = { edge, mark: its, points, x: left + line.x, y: top + line.y,
      left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (let i = 0; i < points.length; i += 2) {
      drawn.left = Math.min(drawn.left, points[i]);
      drawn.right = Math.max(drawn.right, points[i]);
      drawn.top = Math.min(drawn.top, points[i + 1]);
      drawn.bottom = Math.max(drawn.bottom, points[i + 1]);
    }
    scene.edges.push(drawn);
  }
}
