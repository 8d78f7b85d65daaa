// small_vision
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is found is revealed, with its inspector.
byId("close-all").click();
const field = byId("search");
field.value = "stem conv Conv";
field.dispatchEvent(new Event("input"));
same("the list is there", byId("hits").hidden, false);
same("what is found has all words", byId("hits").querySelector("button").textContent.includes("conv"), true);
press("Enter", field);
same("the first is selected", selected.part.name.includes("stem"), true);
same("and drawn", scene.of.has(selected), true);
same("the inspector has its name", byId("inspector").querySelector("h2").textContent, selected.part.name);
same("the path leads to it", [...byId("path").querySelectorAll("button")].length, pathTo(selected.part).length);
const linkIn = part => (reveal(part), byId("inspector").querySelector("dd .link"));
const reader = parts.find(part => linkIn(part));
linkIn(reader).focus();
linkIn(reader).click();
same("a link leads to what computes the value", selected !== boxOf(reader), true);
field.value = "no such node";
field.dispatchEvent(new Event("input"));
same("nothing is found", byId("hits").textContent, "Nothing has this name");
