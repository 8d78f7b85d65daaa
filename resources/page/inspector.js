// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the selection. Texts of the model are always set as text, never as markup.

const mostShown = 200, mostRanked = 12;
const markNames = ["", "added", "removed", "changed", "not in this state"];

function made(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  return element;
}

function link(text, act) {
  const button = made("button", text, { class: "link" });
  button.addEventListener("click", act);
  return button;
}

function pairs(rows) {
  const list = document.createElement("dl");
  for (const [key, value] of rows) {
    const cell = document.createElement("dd");
    cell.append(value);
    list.append(made("dt", key), cell);
  }
  return list;
}

// `lines`: of the box, as this state has them. `figure`: by which what is inside is ranked; -1: by none. `reveal`: selects a part. `toggle`: opens or closes it.
function fillInspector(place, box, { lines, state, figure, palette, isOpen, reveal, toggle }) {
  place.replaceChildren();
  const part = box ? box.part : parts[0];
  if (!part) {
    const [name, ...rest] = lines.map(line => line.text);
    place.append(made("h2", name ?? ""), made("p", box.form === form.input ? "value that comes in" : "value that goes out"),
      ...rest.map(text => made("p", text)));
    return;
  }
  place.append(made("h2", isNode(part) ? part.name || part.what : part.name || titleOf(part)), made("p", part.what));
  const its = part.index ? markOf(part, state) : mark.none;
  if (its) {
    const style = its === mark.absent ? "" : `background: ${palette.marks[its]}; color: ${palette.markText}`;
    place.append(made("span", markNames[its], { class: "mark", style }));
  }
  if (canOpen(part) && part.index) {
    const button = made("button", isOpen(part) ? "Close" : "Open");
    button.addEventListener("click", () => toggle(part));
    place.append(button);
  }
  for (const section of part.index > 0 ? sectionsOf(part) : [])
    addSection(place, section, reveal);
  if (!isNode(part))
    addSums(place, part, state);
  if (part.children.length > 0 && figure >= 0)
    addRankings(place, part, state, figure, reveal);
  if (part.children.length > 0)
    addContents(place, part, state, reveal);
}

function addSection(place, [heading, ...cells], reveal) {
  if (data.texts[heading])
    place.append(made("h3", data.texts[heading]));
  const rows = [];
  for (let i = 0; i < cells.length; i += 4) {
    const [key, text, type] = cells.slice(i, i + 3).map(index => data.texts[index]), maker = parts[cells[i + 3] - 1];
    const value = made("span", "");
    value.append(maker ? link(text, () => reveal(maker)) : text, type ? `  ${type}` : "");
    rows.push([key, value]);
  }
  place.append(pairs(rows));
}

function addSums(place, part, state) {
  place.append(made("h3", "Sum"));
  place.append(pairs(data.figures.map(({ name, unit }, i) => [name, amountText(amountsOf(i, state).of(part), unit)])));
  if (data.note)
    place.append(made("p", `At ${data.note}`));
}

// Tables of the nodes and the modules inside that have most of a figure.
function addRankings(place, part, state, figure, reveal) {
  const inside = [], amounts = amountsOf(figure, state);
  const collect = each => each.children.filter(child => isInState(child, state)).forEach(child => {
    inside.push(child);
    collect(child);
  });
  collect(part);
  const ranked = inside.filter(each => amounts.numbers[each.index] > 0)
    .sort((a, b) => amounts.numbers[b.index] - amounts.numbers[a.index]);
  const whole = amounts.numbers[part.index];
  addRanking(place, "Nodes", ranked.filter(isNode), { figure, amounts, whole, reveal });
  addRanking(place, "Modules", ranked.filter(each => !isNode(each) && canOpen(each)), { figure, amounts, whole, reveal });
}

function addRanking(place, what, ranked, { figure, amounts, whole, reveal }) {
  const { name, unit } = data.figures[figure];
  if (ranked.length === 0)
    return;
  const table = document.createElement("table"), head = document.createElement("tr"), body = document.createElement("tbody");
  head.append(...[what, name, "share"].map(text => made("th", text, { scope: "col" })));
  const row = part => {
    const cells = document.createElement("tr"), first = document.createElement("th");
    first.setAttribute("scope", "row");
    first.append(link(part.name || titleOf(part), () => reveal(part)));
    if (part.name.startsWith("%")) // the file has no name for it
      first.append(made("small", `  ${titleOf(part)}`));
    cells.append(first, made("td", amountText(amounts.of(part), unit)),
      made("td", whole > 0 ? `${(100 * amounts.numbers[part.index] / whole).toFixed(1)} %` : "?"));
    return cells;
  };
  body.append(...ranked.slice(0, mostRanked).map(row));
  table.append(made("caption", `${what} by ${name}`), document.createElement("thead"), body);
  table.tHead.append(head);
  place.append(table);
  if (ranked.length > mostRanked) {
    const more = link(`Show all ${ranked.length}`, () => {
      for (const part of ranked.slice(mostRanked)) // one by one: a call takes a hundred thousand arguments and no more
        body.append(row(part));
      more.remove();
    });
    place.append(more);
  }
}

function addContents(place, part, state, reveal) {
  const inside = part.children.filter(child => isInState(child, state));
  place.append(made("h3", `Contents (${inside.length})`));
  const list = document.createElement("ul");
  for (const child of inside.slice(0, mostShown)) {
    const item = document.createElement("li");
    item.append(link(titleOf(child), () => reveal(child)), made("small", child.name && isNode(child) ? `  ${child.name}` : ""));
    list.append(item);
  }
  if (inside.length > mostShown)
    list.append(made("li", `… and ${inside.length - mostShown} more`));
  place.append(list);
}
