// small_vision
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Modules open in place, close again, and nothing overlaps.
byId("close-all").click();
const closed = scene.boxes.length;
same("a closed picture has no open box", scene.boxes.some(item => item.isOpen), false);
const part = scene.boxes.find(item => item.box.part && canOpen(item.box.part)).box.part;
toggle(part);
same("the module is open", scene.of.get(boxOf(part)).isOpen, true);
same("it has its contents", scene.boxes.length, closed + planeOf(part.plane).boxes.length);
byId("open-all").click();
same("every node is drawn once", scene.boxes.filter(item => item.box.form === form.node).length,
  parts.filter(part => isNode(part)).length);
let overlaps = 0;
for (const a of scene.boxes)
  for (const b of scene.boxes)
    if (a !== b && !a.isOpen && !b.isOpen && a.x < b.x + b.w - 1 && b.x < a.x + a.w - 1 && a.y < b.y + b.h - 1
        && b.y < a.y + a.h - 1)
      ++overlaps;
same("boxes that overlap", overlaps, 0);
for (const item of scene.boxes) {
  const around = item.box.part && scene.of.get(boxOf(parts[item.box.part.parent]));
  if (around && (item.x < around.x || item.x + item.w > around.x + around.w || item.y + item.h > around.y + around.h))
    same("a box is within the module around it", titleOf(item.box.part), "within");
}
for (const { edge, points } of scene.edges)
  if (points.some(number => !Number.isFinite(number)))
    same("points of an edge", edge.label, "numbers");
byId("close-all").click();
same("everything is closed again", scene.boxes.length, closed);
