// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_onnx.h"

#include <string_view>
#include <utility>

namespace cutaway::test {

namespace {

// Protobuf's wire form; every field here is below 16 and so its tag one byte.
std::string varint(std::uint64_t value)
{
    std::string text;
    for (; value >= 0x80; value >>= 7)
        text += static_cast<char>(value | 0x80);
    return text + static_cast<char>(value);
}

std::string number(int field, std::int64_t value)
{
    return static_cast<char>(field << 3) + varint(static_cast<std::uint64_t>(value));
}

std::string bytes(int field, std::string_view content)
{
    return static_cast<char>(field << 3 | 2) + varint(content.size()) + std::string(content);
}

std::string valueInfo(const OnnxValue &value)
{
    std::string dims;
    for (const auto &size : value.shape)
        if (const auto *name = std::get_if<std::string>(&size))
            dims += bytes(1, bytes(2, *name));
        else
            dims += bytes(1, number(1, std::get<std::int64_t>(size)));
    const std::string tensor = number(1, value.dataType) + bytes(2, dims);
    return bytes(1, value.name) + bytes(2, bytes(1, tensor));
}

std::string nodeOf(const OnnxNode &node)
{
    std::string content;
    for (const std::string &input : node.inputs)
        content += bytes(1, input);
    return content + bytes(2, node.output) + bytes(3, "/act/" + node.type) + bytes(4, node.type);
}

} // namespace

std::string onnxModel(const std::vector<OnnxNode> &nodes, const std::vector<OnnxValue> &inputs,
                      const std::vector<OnnxValue> &outputs, const std::vector<OnnxValue> &recorded)
{
    std::string graph = bytes(2, "small");
    for (const OnnxNode &node : nodes)
        graph += bytes(1, nodeOf(node));
    for (const auto &[field, values] : {std::pair(11, &inputs), std::pair(12, &outputs), std::pair(13, &recorded)})
        for (const OnnxValue &value : *values)
            graph += bytes(field, valueInfo(value));
    return number(1, 8) + bytes(2, "by hand") + bytes(7, graph) + bytes(8, number(2, 17));
}

std::string onnxBlocks()
{
    std::vector<OnnxNode> nodes;
    std::string x = "x";
    for (int block = 0; block < 20; ++block) {
        std::string value = x;
        const auto add = [&](const std::string &type, std::vector<std::string> inputs) {
            value = type + std::to_string(block);
            nodes.push_back({type, std::move(inputs), value});
        };
        for (const char *type : {"Neg", "Sigmoid", "Relu", "Tanh"})
            add(type, {value});
        add("Add", {value, x});
        x = value;
    }
    return onnxModel(nodes, {{"x", {2, 3}}}, {{x, {2, 3}}});
}

std::string smallOnnx() { return onnxModel({{"Relu", {"x"}, "y"}}, {{"x", {"N", 3}}}, {{"y", {"N", 3}}}); }

} // namespace cutaway::test
