// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that can be sorted, filtered and, where they are trees, folded. Without it everything is shown.
"use strict";

const rowsForFilter = 12;
const depthShown = 2;

function depthOf(row) {
  const cell = row.querySelector("td[data-depth]");
  return cell ? Number(cell.dataset.depth) : 0;
}

function orderOf(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.order !== undefined)
    return Number(cell.dataset.order);
  const number = Number(cell.textContent.replaceAll(",", ""));
  return cell.textContent === "" || Number.isNaN(number) ? cell.textContent : number;
}

// Numbers before texts, what is equal in the order of the file.
function compare(a, b) {
  if (typeof a !== typeof b)
    return typeof a === "number" ? -1 : 1;
  return typeof a === "number" ? a - b : a.localeCompare(b);
}

function makeSortable(table) {
  const body = table.tBodies[0];
  const inFile = [...body.rows];
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const old = head.getAttribute("aria-sort");
      const now = old === null ? first : old === first ? second : null;
      for (const other of table.tHead.rows[0].cells)
        other.removeAttribute("aria-sort");
      if (now === null)
        return body.append(...inFile);
      head.setAttribute("aria-sort", now);
      const sign = now === "ascending" ? 1 : -1;
      const keyed = inFile.map(row => [orderOf(row, column), row]);
      keyed.sort((a, b) => sign * compare(a[0], b[0]));
      body.append(...keyed.map(entry => entry[1]));
    });
  }
}

function makeFilter(table) {
  const rows = [...table.tBodies[0].rows];
  const input = document.createElement("input");
  const count = document.createElement("span");
  input.type = "search";
  input.className = "filter";
  input.placeholder = "Filter";
  input.setAttribute("aria-label", "Filter the rows of this table");
  count.className = "count";
  table.before(input, count);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = words.every(word => text.includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}

// The rows below a row, as deep as they are shown, follow it in the file.
function makeTree(table) {
  const rows = [...table.tBodies[0].rows];
  const depths = rows.map(depthOf);
  const open = rows.map((row, i) => depths[i] < depthShown);
  const buttons = rows.map((row, i) => {
    const button = document.createElement("button");
    button.className = "fold";
    row.cells[0].prepend(button);
    if (!(depths[i + 1] > depths[i]))
      button.disabled = true;
    else
      button.addEventListener("click", () => { open[i] = !open[i]; show(); });
    return button;
  });
  function show() {
    let closedAt = Infinity;
    rows.forEach((row, i) => {
      if (depths[i] <= closedAt)
        closedAt = Infinity;
      row.hidden = depths[i] > closedAt;
      if (buttons[i].disabled)
        return;
      buttons[i].textContent = open[i] ? "▾" : "▸";
      buttons[i].setAttribute("aria-label", open[i] ? "Fold" : "Unfold");
      if (!open[i])
        closedAt = Math.min(closedAt, depths[i]);
    });
  }
  show();
}

for (const table of document.querySelectorAll("table")) {
  const isTree = table.querySelector("td[data-depth]") !== null;
  const rows = table.tBodies[0].rows.length;
  if (isTree) {
    makeTree(table);
  } else if (rows > 1) {
    makeSortable(table);
    if (rows >= rowsForFilter)
      makeFilter(table);
  }
}
