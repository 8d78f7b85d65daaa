#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A pass for Cutaway in Python: x * sigmoid(x) becomes silu(x). docs/plugins.md explains it.

The model is sent both ways as JSON, described in docs/ir-json.md.
"""
import collections
import json
import sys

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def receive():
    """Returns the next message and its payload; None at the end."""
    lengths = {}
    while line := stdin.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    if not lengths:
        return None
    return json.loads(stdin.read(lengths[b"Content-Length"])), stdin.read(lengths.get(b"Payload-Length", 0))


def answer(request, payload=b"", **outcome):
    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}).encode()
    stdout.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)) + body + payload)
    stdout.flush()


def regions_of(region):
    """Yields the region and all regions nested in its nodes."""
    yield region
    for node in region.get("nodes", []):
        for inner in node.get("regions", []):
            yield from regions_of(inner)


def reads(part):
    """Yields the values that a part of the JSON refers to, one entry per occurrence."""
    if isinstance(part, list):
        for item in part:
            yield from reads(item)
    elif isinstance(part, dict) and list(part) == ["value"]:
        yield part["value"]
    elif isinstance(part, dict):
        yield from reads(list(part.values()))


def is_operator(node, name):
    return node["op"]["dialect"] == "aten" and node["op"]["name"] == name


def operand(node, position):
    arguments = node.get("arguments", [])
    return arguments[position][1] if position < len(arguments) else None


def sigmoid_in(product, sigmoids, read_once):
    """Returns the sigmoid node s if the product is x * s(x) or s(x) * x and s(x) has no other reader."""
    if not is_operator(product, "mul"):
        return None
    for x, other in ((0, 1), (1, 0)):
        factor = operand(product, other)
        found = sigmoids.get(factor.get("value")) if isinstance(factor, dict) else None
        if found and operand(found, 0) == operand(product, x) and found["outputs"][0] in read_once:
            return found
    return None


def fuse_in(region, function, read_once):
    """Replaces each pair in one region. A node that stays keeps its id; a new one takes the next and names its origins."""
    sigmoids = {node["outputs"][0]: node for node in region.get("nodes", []) if is_operator(node, "sigmoid")}
    nodes, gone = [], set()
    for node in region.get("nodes", []):
        if sigmoid := sigmoid_in(node, sigmoids, read_once):
            gone.add(sigmoid["id"])
            # The result keeps its number, so its readers stay as they are. Location and scope are those of the product.
            node = {**node, "id": function["node_count"], "op": {"dialect": "aten", "name": "silu"}, "name": "",
                    "arguments": [["self", operand(sigmoid, 0)]], "origins": [sigmoid["id"], node["id"]]}
            function["node_count"] += 1
        nodes.append(node)
    region["nodes"] = [node for node in nodes if node["id"] not in gone]


def fuse(model, name, everywhere):
    function = next(f for f in model["functions"] if f["name"] == name)
    read_once = {value for value, count in collections.Counter(reads(function["body"])).items() if count == 1}
    regions = list(regions_of(function["body"])) if everywhere else [function["body"]]
    for region in regions:
        fuse_in(region, function, read_once)


def main():
    while message := receive():
        request, payload = message
        if request["method"] == "initialize":
            answer(request, result={"protocol": 1, "name": "silu", "version": "1.0"})
        elif request["method"] == "transform":
            params = request["params"]
            model = json.loads(payload)
            fuse(model, params["function"], params["options"]["regions"])
            answer(request, json.dumps(model).encode(), result={})
        elif request["method"] in ("ping", "shutdown"):
            answer(request, result={})
            if request["method"] == "shutdown":
                return
        elif "id" in request:
            answer(request, error={"code": -32601, "message": "no such method"})


if __name__ == "__main__":
    main()
