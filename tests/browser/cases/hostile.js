// hostile
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names that are markup and scripts stay texts, wherever they are shown.
byId("open-all").click();
const named = parts.find(part => part.name.includes("<img"));
reveal(named);
same("the inspector has the name as text", byId("inspector").querySelector("h2").textContent, named.name);
same("the path has it as text", byId("path").textContent.includes("<img"), true);
byId("search").value = "<img";
byId("search").dispatchEvent(new Event("input"));
same("it is found", byId("hits").querySelectorAll("button").length > 3, true);
same("no name became an element", document.querySelectorAll("img").length, 0);
