// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws what is in sight of a scene on a canvas. Sizes are those of core/layout/metrics.h, in pixels at 100 %.

const sans = 'Inter, "Noto Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const monospace = '"JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';
const fonts = [`500 13px ${sans}`, `11px ${sans}`, `11px ${sans}`, `11px ${monospace}`]; // by layout::Line::Style
const title = 0, muted = 1;
const leastTextZoom = 0.35, leastTitleZoom = 0.16;

// `look`: palette, colours by part ({ fill, text, value } or null), selected box.
function draw(context, scene, view, size, look) {
  const { palette } = look;
  const sight = { left: -view.x / view.zoom, top: -view.y / view.zoom };
  sight.right = sight.left + size.width / view.zoom;
  sight.bottom = sight.top + size.height / view.zoom;
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  context.fillStyle = palette.canvas;
  context.fillRect(0, 0, size.width, size.height);
  context.transform(view.zoom, 0, 0, view.zoom, view.x, view.y);
  const boxes = scene.boxes.filter(item => item.x < sight.right && item.x + item.w + 8 > sight.left
    && item.y - 12 < sight.bottom && item.y + item.h + 8 > sight.top);
  for (const item of boxes)
    drawBox(context, item, view.zoom, look);
  for (const line of scene.edges)
    if (line.left < sight.right && line.right + 200 > sight.left && line.top < sight.bottom && line.bottom > sight.top)
      drawEdge(context, line, view.zoom, palette);
  for (const item of boxes)
    drawBadge(context, item, view.zoom, look);
}

function roundRect(context, x, y, w, h, radius) {
  context.beginPath();
  context.roundRect(x, y, w, h, Math.min(radius, h / 2));
}

function drawBox(context, item, zoom, look) {
  const { palette } = look, { box } = item;
  const isPill = box.form >= form.input, isModule = box.form === form.module || box.form === form.region;
  const tint = item.isOpen ? null : look.tintOf(box);
  const radius = isPill ? item.h / 2 : isModule ? 8 : 4;
  const depth = Math.min(item.depth, palette.fills.length - 1);
  context.fillStyle = tint?.fill ?? (isPill ? palette.input : isModule ? palette.fills[depth] : palette.card);
  context.strokeStyle = item.mark ? palette.marks[item.mark] : isModule ? palette.borders[depth] : palette.cardBorder;
  context.lineWidth = item.mark ? 2 : 1;
  context.globalAlpha = item.mark === mark.removed ? 0.6 : 1;
  context.setLineDash(box.isFound || item.mark === mark.removed ? [5, 3] : []);
  for (let sheet = box.isStack && !item.isOpen ? 2 : 0; sheet >= 0; --sheet) {
    roundRect(context, item.x + 3 * sheet + 0.5, item.y + 3 * sheet + 0.5, item.w - 1, item.h - 1, radius);
    context.fill();
    context.stroke();
  }
  context.setLineDash([]);
  if (box.form === form.node && !item.isOpen) {
    context.fillStyle = palette.categories[box.category];
    context.beginPath();
    context.roundRect(item.x, item.y, 4, item.h, [4, 0, 0, 4]);
    context.fill();
  }
  if (box === look.selected) {
    context.strokeStyle = palette.selection;
    context.lineWidth = Math.max(2.5, 2 / zoom);
    roundRect(context, item.x - 2, item.y - 2, item.w + 4, item.h + 4, radius + 2);
    context.stroke();
  }
  if (zoom >= leastTitleZoom)
    drawLines(context, item, zoom, tint, palette);
  context.globalAlpha = 1;
}

// The muted line behind the title stands on its row; an open box shows that row alone.
function drawLines(context, item, zoom, tint, palette) {
  const { box } = item, lines = linesIn(item);
  const isPill = box.form >= form.input, sign = box.part && canOpen(box.part) ? (item.isOpen ? "▾ " : "▸ ") : "";
  const inset = isPill ? Math.max(12, item.h / 2) : 12;
  const room = item.w - 2 * inset + 8;
  let y = item.y + 6, titleEnd = 0, textX = item.x + inset;
  context.textAlign = "left";
  const shown = item.isOpen ? lines.slice(0, 2) : lines;
  for (const [i, { style, text }] of shown.entries()) {
    if (zoom < leastTextZoom && style !== title)
      break;
    context.font = fonts[style];
    context.fillStyle = tint ? tint.text : style === title || style === 2 ? palette.text : palette.muted;
    if (i === 1 && style === muted && lines[0].style === title) {
      if (room - titleEnd > 20)
        context.fillText(text, textX + titleEnd + 8, y - 6, room - titleEnd - 8);
      continue;
    }
    if (item.isOpen && i > 0)
      break;
    const whole = style === title ? sign + text : text;
    titleEnd = Math.min(room, context.measureText(whole).width);
    if (isPill)
      textX = item.x + (item.w - Math.min(room, rowWidth(context, shown, titleEnd, i))) / 2;
    context.font = fonts[style];
    context.fillText(whole, textX, y + (style === title ? 14 : 11.5), room);
    y += style === title ? 20 : 16;
  }
}

// The width of a row of a pill, in whose middle the row stands, with what follows the title on it.
function rowWidth(context, lines, titleWidth, row) {
  const next = lines[row + 1];
  if (row > 0 || next?.style !== muted)
    return titleWidth;
  context.font = fonts[muted];
  return titleWidth + 8 + context.measureText(next.text).width;
}

function drawEdge(context, { edge, mark: its, points, x, y }, zoom, palette) {
  const end = points.length;
  if (end < 8)
    return;
  context.strokeStyle = context.fillStyle = its ? palette.marks[its] : palette.edge;
  context.lineWidth = its ? 2 : 1.2;
  context.globalAlpha = edge.isQuiet && !its ? 0.4 : 1;
  context.setLineDash(edge.isStub || its === mark.removed ? [3, 3] : edge.isBridge ? [1.5, 3] : []);
  context.beginPath();
  context.moveTo(points[0], points[1]);
  for (let i = 2; i + 5 < end; i += 6)
    context.bezierCurveTo(points[i], points[i + 1], points[i + 2], points[i + 3], points[i + 4], points[i + 5]);
  context.stroke();
  context.setLineDash([]);
  if (!edge.goesOn && zoom > leastTitleZoom)
    drawArrow(context, points[end - 4], points[end - 3], points[end - 2], points[end - 1]);
  context.globalAlpha = 1;
  if (edge.label === "" || zoom < leastTextZoom)
    return;
  context.font = fonts[3];
  context.textAlign = "left";
  context.lineWidth = 3;
  context.fillStyle = palette.label;
  context.fillText(edge.label, x + 3, y + 4);
}

function drawArrow(context, fromX, fromY, x, y) {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const dx = (x - fromX) / length, dy = (y - fromY) / length;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 7 * dx - 3 * dy, y - 7 * dy + 3 * dx);
  context.lineTo(x - 7 * dx + 3 * dy, y - 7 * dy - 3 * dx);
  context.fill();
}

// At the right end of the upper border: what a step changed in it, or how much of a figure it has.
function drawBadge(context, item, zoom, { palette, tintOf }) {
  const text = item.isOpen ? "" : item.badge || tintOf(item.box)?.value;
  if (!text || zoom < leastTextZoom)
    return;
  context.font = fonts[item.badge ? title : muted];
  const width = context.measureText(text).width + 12;
  if (!item.badge && width > item.w)
    return;
  const x = item.x + item.w - width - 2, y = item.y - 8;
  context.fillStyle = item.badge ? palette.marks[item.mark] : palette.card;
  context.strokeStyle = item.badge ? palette.marks[item.mark] : palette.cardBorder;
  context.lineWidth = 1;
  roundRect(context, x, y, width, 16, 8);
  context.fill();
  context.stroke();
  context.fillStyle = item.badge ? palette.markText : palette.text;
  context.textAlign = "center";
  context.fillText(text, x + width / 2, y + 12);
}
