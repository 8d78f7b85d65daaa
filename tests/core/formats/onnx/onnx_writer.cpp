// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/core/formats/onnx/onnx_writer.h"

#include "core/formats/onnx/reader.h"
#include "core/ir/context.h"
#include "core/ir/verify.h"

#include <cstring>
#include <gtest/gtest.h>

namespace onnxtest {

using namespace cutaway;

namespace {

std::string varint(std::uint64_t n)
{
    std::string bytes;
    for (; n >= 0x80; n >>= 7)
        bytes += static_cast<char>(n | 0x80);
    return bytes += static_cast<char>(n);
}

std::uint64_t unsignedOf(std::int64_t n) { return static_cast<std::uint64_t>(n); }

std::string describe(const ir::Model &model, const ir::Graph &graph, const ir::Operand &operand)
{
    const ir::Context &context = *model.context;
    if (const auto *value = operand.as<ir::ValueId>())
        return "%" + std::string(context.text(graph.at(*value).name));
    if (const auto *n = operand.as<std::int64_t>())
        return std::to_string(*n);
    if (const auto *x = operand.as<double>())
        return std::to_string(*x);
    if (const auto *s = operand.as<ir::String>())
        return "'" + std::string(context.text(s->text)) + "'";
    if (const auto *tensor = operand.as<ir::TensorId>())
        return "tensor " + std::string(name(model.at(*tensor).dtype));
    if (const auto *function = operand.as<ir::FunctionId>())
        return "function " + std::string(context.text(model.at(*function).name));
    if (const auto *type = operand.as<ir::TypeId>())
        return context.print(*type);
    if (operand.as<ir::None>())
        return "None";
    const auto *list = operand.as<ir::List>();
    const auto *dict = operand.as<ir::Dict>();
    std::string text;
    for (const ir::Operand &item : list ? list->items : dict ? dict->items : ir::RareList<ir::Operand>())
        text += (text.empty() ? "" : ", ") + describe(model, graph, item);
    return list ? "[" + text + "]" : "{" + text + "}";
}

} // namespace

Proto &Proto::number(int field, std::uint64_t value)
{
    bytes += varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
    return *this;
}

Proto &Proto::fixed32(int field, float value)
{
    bytes += varint(static_cast<std::uint64_t>(field) << 3 | 5);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
}

Proto &Proto::text(int field, std::string_view value)
{
    bytes += varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(value.size());
    bytes += value;
    return *this;
}

Proto &Proto::raw(std::string_view value)
{
    bytes += value;
    return *this;
}

Proto tensorType(int dataType, const std::vector<Dim> &dims)
{
    Proto shape;
    for (const Dim &dim : dims)
        shape.message(1, dim.name.empty() ? Proto().number(1, unsignedOf(dim.size)) : Proto().text(2, dim.name));
    return Proto().message(1, Proto().number(1, unsignedOf(dataType)).message(2, shape));
}

Proto value(std::string_view name, const Proto &type) { return Proto().text(1, name).message(2, type); }

Proto node(std::string_view type, const std::vector<std::string> &inputs, const std::vector<std::string> &outputs,
           std::string_view name)
{
    Proto proto;
    for (const std::string &input : inputs)
        proto.text(1, input);
    for (const std::string &output : outputs)
        proto.text(2, output);
    return proto.text(3, name).text(4, type);
}

Proto intAttribute(std::string_view name, std::int64_t n)
{
    return Proto().text(1, name).number(3, unsignedOf(n)).number(20, 2);
}

Proto graphAttribute(std::string_view name, const Proto &graph)
{
    return Proto().text(1, name).message(6, graph).number(20, 5);
}

Proto floats(std::string_view name, const std::vector<std::int64_t> &dims)
{
    Proto proto;
    std::size_t count = 1;
    for (const std::int64_t dim : dims) {
        proto.number(1, unsignedOf(dim));
        count *= static_cast<std::size_t>(dim);
    }
    return proto.number(2, 1).text(8, name).text(9, std::string(count * 4, '\0'));
}

Proto entry(std::string_view key, std::string_view text) { return Proto().text(1, key).text(2, text); }

Proto graph(const std::vector<Proto> &nodes, const std::vector<Proto> &inputs, const std::vector<Proto> &outputs,
            const std::vector<Proto> &initializers)
{
    Proto proto;
    for (const Proto &node : nodes)
        proto.message(1, node);
    proto.text(2, "g");
    for (const Proto &initializer : initializers)
        proto.message(5, initializer);
    for (const Proto &input : inputs)
        proto.message(11, input);
    for (const Proto &output : outputs)
        proto.message(12, output);
    return proto;
}

Proto model(const Proto &graph, std::uint64_t irVersion)
{
    return Proto().number(1, irVersion).text(2, "test").message(7, graph).message(8, Proto().text(1, "").number(2, 17));
}

Result<ir::Model> read(const Proto &model, const std::string &path)
{
    return formats::onnx::readBytes(std::as_bytes(std::span(model.bytes)), {path, nullptr}, {});
}

ir::Model opened(const Proto &model, const std::string &path)
{
    auto result = read(model, path);
    if (!result) {
        ADD_FAILURE() << result.error().text();
        return {};
    }
    EXPECT_EQ(ir::verify(*result), std::vector<std::string>());
    return std::move(*result);
}

std::string print(const ir::Model &model, const ir::Graph &graph, ir::NodeId id)
{
    const ir::Context &context = *model.context;
    const ir::Node &node = graph.at(id);
    std::string line, arguments;
    for (const ir::ValueId output : node.outputs)
        line += (line.empty() ? "%" : ", %") + std::string(context.text(graph.at(output).name));
    for (const auto &[name, operand] : node.arguments) {
        arguments += arguments.empty() ? "" : ", ";
        if (name != ir::NameId{})
            arguments += std::string(context.text(name)) + "=";
        arguments += describe(model, graph, operand);
    }
    return line + " = " + context.print(node.op) + "(" + arguments + ")";
}

std::string print(const ir::Model &model, const ir::Graph &graph, ir::RegionId region)
{
    std::string text;
    for (const ir::NodeId node : graph.at(region).nodes)
        text += print(model, graph, node) + "\n";
    return text;
}

std::string diagnostics(const ir::Model &model)
{
    std::string text;
    for (const ir::Diagnostic &diagnostic : model.diagnostics)
        text += diagnostic.code + ": " + diagnostic.message + "\n";
    return text;
}

} // namespace onnxtest
