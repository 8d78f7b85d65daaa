// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/written.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/task.h"
#include "core/base/text.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/same_elements.h"
#include "core/ir/verify.h"

#include <algorithm>
#include <map>

namespace cutaway::formats {

namespace {

[[noreturn]] void differs(const std::string &what, std::string where = {})
{
    throw Unusable({ErrorKind::Backend, "the file was not written, since it would not read back as the model: " + what,
                    std::move(where)});
}

// ---- signatures

bool isSame(const ir::Dim &model, const ir::Dim &file)
{
    const auto *size = std::get_if<std::int64_t>(&model), *found = std::get_if<std::int64_t>(&file);
    return size ? found && *size == *found : !found || std::holds_alternative<ir::UnknownDim>(model);
}

/// Whether the type in the file agrees with the model's; the file may know what the model leaves unknown.
bool isSame(const ir::Type &model, const ir::Type &file)
{
    const auto *a = std::get_if<ir::TensorType>(&model), *b = std::get_if<ir::TensorType>(&file);
    if (!a || !b)
        return std::holds_alternative<ir::UnknownType>(model) || model.index() == file.index();
    return (!a->dtype || a->dtype == b->dtype)
        && (!a->shape || (b->shape && std::ranges::equal(*a->shape, *b->shape, [](const ir::Dim &x, const ir::Dim &y) {
                              return isSame(x, y);
                          })));
}

bool isWeight(const ir::FunctionInput &input)
{
    using Kind = ir::FunctionInput::Kind;
    return input.kind == Kind::Parameter || input.kind == Kind::Buffer || input.kind == Kind::Constant
        || ir::isOverridable(input);
}

/// An input or output of a function, as callers see it.
struct Port {
    std::string name, target;
    int kind = 0;
    const ir::Type *type = nullptr; ///< nullptr: a constant
    std::string print = {};
};

template <class Item>
Port portOf(const ir::Model &model, const ir::Function &function, const Item &item)
{
    const ir::Context &context = *model.context;
    Port port{std::string(context.text(item.name)), std::string(context.text(item.target)),
              static_cast<int>(item.kind)};
    if (const auto *value = item.value.template as<ir::ValueId>()) {
        const ir::TypeId type = function.graph.at(*value).type;
        port.type = &context.at(type);
        port.print = context.print(type);
    }
    return port;
}

std::vector<Port> inputsOf(const ir::Model &model, const ir::Function &function)
{
    std::vector<Port> ports;
    for (const ir::FunctionInput &input : function.inputs)
        if (!isWeight(input))
            ports.push_back(portOf(model, function, input));
    return ports;
}

std::vector<Port> outputsOf(const ir::Model &model, const ir::Function &function, bool hasNames)
{
    std::vector<Port> ports;
    for (std::size_t i = 0; i < function.outputs.size(); ++i) {
        ports.push_back(portOf(model, function, function.outputs[i]));
        if (!hasNames)
            ports.back().name = std::to_string(i);
    }
    return ports;
}

void comparePorts(std::string_view what, const std::vector<Port> &model, const std::vector<Port> &file)
{
    if (model.size() != file.size())
        differs(formatted("it has {} {}s in place of {}", file.size(), what, model.size()));
    for (std::size_t i = 0; i < model.size(); ++i) {
        const Port &a = model[i], &b = file[i];
        const std::string shown = formatted("the {} {}", what, sanitized(a.name));
        if (a.name != b.name)
            differs(shown + " is called " + sanitized(b.name));
        if (a.kind != b.kind || a.target != b.target || bool(a.type) != bool(b.type))
            differs(shown + " is of another kind");
        if (a.type && !isSame(*a.type, *b.type))
            differs(formatted("{} is {} in place of {}", shown, b.print, a.print));
    }
}

// ---- operators

/// Returns an operator's full name, without the overload "default": torch.export writes it for an overload without a
/// name.
std::string nameOf(const ir::Context &context, ir::OpId op)
{
    const std::string name = context.print(op);
    constexpr std::string_view unnamed = ".default";
    return name.ends_with(unnamed) ? name.substr(0, name.size() - unnamed.size()) : name;
}

std::map<std::string, std::size_t> operatorsOf(const ir::Graph &graph)
{
    std::vector<std::size_t> counts;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::Node &node = graph.at(id); !node.removed) {
            counts.resize(std::max<std::size_t>(counts.size(), node.op.index + 1));
            ++counts[node.op.index];
        }
    std::map<std::string, std::size_t> operators;
    for (std::uint32_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            operators[nameOf(graph.context(), ir::OpId{i})] += counts[i];
    return operators;
}

/// Compares how many nodes of each operator two graphs have. Constant and Identity of ONNX do not count: the reader
/// turns nodes that are constants into weights, and a result that is made in another graph needs an Identity.
void compareOperators(const ir::Graph &model, const ir::Graph &file)
{
    auto expected = operatorsOf(model), found = operatorsOf(file);
    for (const char *constant : {"onnx::Constant", "onnx::Identity"})
        for (auto *operators : {&expected, &found})
            operators->erase(constant);
    for (const auto &[name, count] : expected)
        if (found[name] != count)
            differs(formatted("it has {} of {} in place of {}", quantity(found[name], "node"), name, count));
    for (const auto &[name, count] : found)
        if (!expected.contains(name))
            differs(formatted("it has {} of {}, and the model has none", quantity(count, "node"), name));
}

// ---- weights

/// Whether both storages are the same range of the same file.
bool isOneRange(const ir::Model &a, const ir::Storage &x, const ir::Model &b, const ir::Storage &y)
{
    const auto *here = std::get_if<ir::FileRange>(&x.data), *there = std::get_if<ir::FileRange>(&y.data);
    std::error_code ignored;
    return here && there && here->offset == there->offset && here->length == there->length
        && here->encoding == there->encoding
        && std::filesystem::equivalent(a.at(here->file).path, b.at(there->file).path, ignored);
}

bool isSameTensor(const ir::Model &a, ir::TensorId inA, const ir::Model &b, ir::TensorId inB);

bool haveSameParts(const ir::Model &a, const ir::Tensor &x, const ir::Model &b, const ir::Tensor &y)
{
    return std::ranges::equal(x.parts, y.parts,
                              [&](ir::TensorId p, ir::TensorId q) { return isSameTensor(a, p, b, q); });
}

bool isSameTensor(const ir::Model &a, ir::TensorId inA, const ir::Model &b, ir::TensorId inB)
{
    const ir::Tensor &x = a.at(inA), &y = b.at(inB);
    if (x.dtype != y.dtype || x.shape != y.shape || x.layout != y.layout || !haveSameParts(a, x, b, y))
        return false;
    const ir::Storage &here = a.at(x.storage), &there = b.at(y.storage);
    if (x.layout != ir::Layout::Strided)
        return true; // only the parts of a sparse tensor have bytes
    if (const auto *strings = std::get_if<ir::InlineStrings>(&here.data))
        return there.data == decltype(there.data)(*strings);
    if (std::holds_alternative<ir::NoBytes>(here.data))
        return std::holds_alternative<ir::NoBytes>(there.data);
    if (x.strides == y.strides && x.offset == y.offset && isOneRange(a, here, b, there))
        return true;
    return orThrow(ir::haveSameElements(a, inA, b, inB));
}

using TensorsByName = std::map<std::string_view, std::vector<ir::TensorId>>;

TensorsByName tensorsByName(const ir::Model &model)
{
    TensorsByName tensors;
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        tensors[model.context->text(model.tensors[i].name)].push_back(ir::TensorId{i});
    return tensors;
}

/// Compares each written weight with the weights in the files that have its name: one of them has to be equal. There
/// may be several, as each of several graphs may have a weight of that name.
void compareWeights(const ir::Model &model, const Written &written, const Task &task)
{
    const TensorsByName found = tensorsByName(written.content);
    std::uint64_t done = 0;
    for (const auto &[tensor, name] : written.weights) {
        task.report("comparing the weights", done++, written.weights.size());
        if (task.stopRequested())
            throw Unusable(cancelled().error());
        const auto named = found.find(name);
        if (named == found.end())
            differs("it has no weight " + sanitized(name));
        if (std::ranges::none_of(named->second, [&, id = tensor](ir::TensorId other) {
                return isSameTensor(model, id, written.content, other);
            }))
            differs(formatted("the weight {} is another one", sanitized(name)));
    }
}

void compare(const ir::Model &model, const Written &written, const Task &task)
{
    const ir::Model &file = written.content;
    if (const auto faults = ir::verify(file); !faults.empty())
        differs(faults.front());
    if (file.functions.size() != model.functions.size())
        differs(
            formatted("it has {} in place of {}", quantity(file.functions.size(), "graph"), model.functions.size()));
    for (std::size_t i = 0; i < model.functions.size(); ++i) {
        const ir::Function &a = model.functions[i], &b = file.functions[i];
        comparePorts("input", inputsOf(model, a), inputsOf(file, b));
        comparePorts("output", outputsOf(model, a, written.namesOutputs), outputsOf(file, b, written.namesOutputs));
        compareOperators(a.graph, b.graph);
    }
    compareWeights(model, written, task);
}

} // namespace

Result<void> checkWritten(const ir::Model &model, const Written &written, const Task &task)
{
    task.report("reading back");
    return resultOf([&] { compare(model, written, task); });
}

} // namespace cutaway::formats
