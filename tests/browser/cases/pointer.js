// small_vision
// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A click selects, a drag moves, two fingers zoom; other buttons are left to the browser.
byId("close-all").click();
canvas.setPointerCapture = () => {}; // only pointers of a device can be captured
const frame = canvas.getBoundingClientRect();
const send = (type, x, y, { button = 0, finger = 1 } = {}) => canvas.dispatchEvent(new PointerEvent(type,
  { pointerId: finger, button, bubbles: true, clientX: frame.left + x, clientY: frame.top + y }));
const item = scene.boxes.find(each => each.box.part);
const x = view.x + (item.x + item.w / 2) * view.zoom, y = view.y + (item.y + item.h / 2) * view.zoom;
send("pointerdown", x, y);
send("pointerup", x, y);
same("a click selects", selected === item.box, true);
const before = { ...view }, moved = () => Math.round(view.x - before.x);
send("pointerdown", x, y);
send("pointermove", x + 50, y);
send("pointerup", x + 50, y);
same("a drag moves", moved(), 50);
same("and keeps the selection", selected === item.box, true);
send("pointerdown", x, y, { button: 2 });
send("pointermove", x + 90, y);
same("another button does not", moved(), 50);
send("pointerdown", x, y);
send("pointermove", x + 20, y);
send("pointercancel", x + 20, y);
same("a press that is cancelled is over", [pointers.size, canvas.classList.contains("moving")], [0, false]);
send("pointerdown", 100, 100);
send("pointerdown", 200, 100, { finger: 2 });
send("pointermove", 300, 100, { finger: 2 });
same("two fingers zoom", Math.round(view.zoom / before.zoom * 100), 200);
send("pointerup", 300, 100, { finger: 2 });
send("pointerup", 100, 100);
same("and select nothing else", selected === item.box, true);
