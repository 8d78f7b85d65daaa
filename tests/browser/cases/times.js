// small_vision --bind batch=8 --profile TIMES
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A page with measured times is coloured by them and lists what takes most; the n-th node of a function took n ms.
same("they are chosen", byId("figure").selectedOptions[0].textContent, "by measured time");
const [nodes, modules] = byId("inspector").querySelectorAll("table");
same("nodes are ranked", nodes.caption.textContent, "Nodes by measured time");
const slowest = parts.filter(isNode).reduce((a, b) => a.figures[figure] > b.figures[figure] ? a : b);
const cells = row => [...row.cells].map(cell => cell.textContent);
const count = parts.filter(isNode).length, whole = count * (count + 1) / 2;
same("the slowest is the first", cells(nodes.tBodies[0].rows[0]),
  [slowest.name, `${count}.0 ms`, `${(100 * count / whole).toFixed(1)} %`]);
same("modules are ranked", modules.caption.textContent, "Modules by measured time");
const shown = nodes.tBodies[0].rows.length;
nodes.nextElementSibling.click();
same("there are more", [shown < count, nodes.tBodies[0].rows.length], [true, count]);
const place = document.createElement("div");
addRanking(place, "Nodes", [slowest], { figure, amounts: amountsOf(figure, state), whole: 0, reveal });
same("of what is not known there is no share", cells(place.querySelector("tbody").rows[0])[2], "?");
nodes.tBodies[0].rows[0].querySelector("button").click();
same("a row leads to its node", selected.part, slowest);
same("it tells the time", byId("inspector").textContent.includes("time, median"), true);
byId("figure").value = -1;
byId("figure").dispatchEvent(new Event("change"));
reveal(parts[0]);
same("without a figure nothing is ranked", byId("inspector").querySelector("table"), null);
