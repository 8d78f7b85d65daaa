// small_vision --bind batch=8
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes are coloured by a figure; a closed module has the sum.
same("the figures", data.figures.map(each => each.name), ["FLOPs", "memory traffic", "least time", "parameters"]);
byId("figure").value = 0;
byId("figure").dispatchEvent(new Event("change"));
byId("close-all").click();
const amounts = amountsOf(0, state), tintOf = tinter();
const modules = scene.boxes.filter(item => item.box.part && amounts.numbers[item.box.part.index] > 0);
const most = modules.reduce((a, b) => amounts.numbers[a.box.part.index] > amounts.numbers[b.box.part.index] ? a : b);
same("the largest has the last colour", tintOf(most.box).fill, palette().scale.at(-1));
same("all together", amounts.numbers[0], 33248256);
same("as text", amountText(amounts.of(parts[0]), "FLOP"), "33.2 MFLOP");
for (const [number, unit, text] of [[0, "FLOP", "0 FLOP"], [999, "B", "999 B"], [1536, "B", "1.50 KiB"], [2e9, "FLOP", "2.00 GFLOP"],
  [25, "", "25"], [999600, "FLOP", "1.00 MFLOP"], [3e18, "FLOP", "3.00 EFLOP"], [2 ** 51, "B", "2.00 PiB"], [1.5e-6, "s", "1.50 µs"]])
  same("text", amountText({ number, isWhole: true }, unit), text);
same("a lower bound", amountText({ number: 5, isWhole: false }, "B"), "≥ 5 B");
same("unknown", amountText({ number: 0, isWhole: false }, "B"), "?");
const node = parts.find(isNode);
node.figures[0] = [5];
sums.clear();
same("a node with a lower bound", amountsOf(0, state).of(node), { number: 5, isWhole: false });
same("all together with it", amountsOf(0, state).of(parts[0]).isWhole, false);
