// small_vision
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Everything can be reached without a pointer, and is told to screen readers.
byId("close-all").click();
canvas.focus();
press("ArrowDown");
same("something is selected", selected !== null, true);
const first = selected;
press("ArrowDown");
same("the next one is below", scene.of.get(selected).y > scene.of.get(first).y, true);
same("it is told", byId("told").textContent.startsWith(linesNow(selected)[0].text), true);
reveal(parts.find(part => part.index > 0 && canOpen(part) && part.parent === 0));
const module = selected.part;
same("it is told to be closed", byId("told").textContent.includes("closed"), true);
press("Enter", canvas);
same("Enter opens", isOpen(module), true);
same("and goes in", selected.part.parent, module.index);
press("Backspace", canvas);
same("Backspace goes out", selected.part, module);
press("Enter", canvas);
same("Enter closes", isOpen(module), false);
press("Escape", canvas);
same("Escape selects nothing", selected, null);
reveal(module);
byId("inspector").querySelector("button").focus();
document.activeElement.click();
same("the inspector's button opens", isOpen(module), true);
same("and leaves the focus to the graph", document.activeElement.id, "graph");
const before = view.zoom;
press("+", canvas);
same("plus zooms in", view.zoom > before, true);
press("/", canvas);
same("slash searches", document.activeElement.id, "search");
for (const element of document.querySelectorAll("button, input, select, canvas, aside, nav, ul"))
  if (!(element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")))
    same("the name of", element.outerHTML, "not empty");
same("a language", document.documentElement.lang, "en");
same("one heading of the first level", document.querySelectorAll("h1").length, 1);
