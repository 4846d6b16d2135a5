# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks the accessible tree of the open window as a screen reader does: every control has a name, the sliders have values, and moving
the slider of the sequences changes the verdict."""
import sys
import time

import pyatspi


def wait_for_window(seconds):
    until = time.time() + seconds
    while time.time() < until:
        for application in pyatspi.Registry.getDesktop(0):
            if application and "kvplanner" in (application.name or "").replace(" ", "").lower():
                for frame in application:
                    if frame and frame.getRoleName() == "frame":
                        return frame
        time.sleep(0.3)
    return None


def walk(node, depth=0):
    if node is None or depth > 40:
        return
    yield node
    for child in node:
        yield from walk(child, depth + 1)


def showing(node):
    return node.getState().contains(pyatspi.STATE_SHOWING)


frame = wait_for_window(60)
if frame is None:
    sys.exit("no window on the accessibility bus")
time.sleep(1)
inputs = {"slider", "text", "spin button", "combo box", "push button", "button", "check box", "toggle button", "radio button"}
seen, nameless = 0, []
for node in walk(frame):
    if node.getRoleName() in inputs and showing(node):
        seen += 1
        if not node.name:
            nameless.append(node.getRoleName())
if seen < 15 or nameless:
    sys.exit(f"{seen} inputs, without a name: {nameless}")
sequences = next((n for n in walk(frame) if n.getRoleName() == "slider" and "equences" in n.name), None)
if sequences is None:
    sys.exit("no slider of the sequences")
value = sequences.queryValue()
texts = lambda: {n.name for n in walk(frame) if n.name}
if not any("10 sequences of 131,072 tokens fit" in text for text in texts()):
    sys.exit("the verdict is not on the bus")
value.currentValue = value.maximumValue
until = time.time() + 5
while time.time() < until and not any("do not fit" in text for text in texts()):
    time.sleep(0.2)
if not any("do not fit" in text for text in texts()):
    sys.exit("moving the slider changes nothing on the bus")
print(f"{seen} inputs, all with names; the verdict follows the slider")
