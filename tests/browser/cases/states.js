// small_vision --pipeline optimize{contrib=true}
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Steps through passes: the first state is the file's, the last one is shown first.
byId("open-all").click();
same("the steps are there", byId("steps").hidden, false);
same("the last state is shown", state, data.states.length - 1);
const nodes = () => scene.boxes.filter(item => item.box.form === form.node && item.mark !== mark.removed).length;
const last = nodes();
byId("state").value = 0;
byId("state").dispatchEvent(new Event("change"));
same("the first is the file", data.states[0], "input file");
same("it has more nodes", nodes() > last, true);
same("there is none before it", byId("before").disabled, true);
same("nothing is marked in it", scene.boxes.some(item => item.mark !== mark.none), false);
byId("after").click();
same("a step marks what it did", scene.boxes.some(item => item.mark !== mark.none), true);
same("it is told", byId("told").textContent, data.states[1]);
while (!byId("after").disabled)
  byId("after").click();
same("the last state is as it was", nodes(), last);
const module = parts.find(part => part.index > 0 && canOpen(part) && isInState(part, state) && part.children.length > 1);
const marks = marksAt(state).boxes, first = planeOf(module.plane).boxes.findIndex(box => box.part);
marks.set(module.plane, new Map(marks.get(module.plane)).set(first, { mark: mark.absent, badge: "" }));
byId("close-all").click();
reveal(module);
enter();
same("who goes into a module selects what is there", scene.of.has(selected), true);
byId("state").value = 0;
byId("state").dispatchEvent(new Event("change"));
const others = [...othersAt(0)].flatMap(([plane, lines]) => [...lines].map(([box, its]) => [planeOf(plane).boxes[box], its]));
same("texts of boxes are those of the state", others.length > 0 && others.every(([box, its]) =>
  !scene.of.has(box) || linesIn(scene.of.get(box)) === its), true);
