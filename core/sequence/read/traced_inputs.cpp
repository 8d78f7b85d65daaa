// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/traced_inputs.h"

#include "core/ir/context.h"
#include "core/sequence/printed.h"
#include "core/sequence/saved.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace cutaway::sequence {

namespace {

using formats::graph_text::InputSpec;
using formats::graph_text::InputSpecs;
using InputKind = ir::FunctionInput::Kind;

constexpr std::string_view ofSelf = "self.";

bool isOfBackward(const PrintedValue &input) { return input.name.starts_with("tangents"); }

bool isAttribute(const PrintedValue &value)
{
    return value.code.starts_with(ofSelf)
        && std::ranges::all_of(value.code, [](char c) { return isNameCharacter(c) || c == '.'; });
}

/// Returns the attributes that a graph reads, each once, with their paths in place of names.
std::vector<PrintedValue> attributesOf(const Excerpt &graph)
{
    std::vector<PrintedValue> attributes;
    std::set<std::string> seen;
    for (PrintedValue &value : printedGraph(graph).nodes)
        if (isAttribute(value) && seen.insert(value.code).second)
            attributes.push_back({value.code, std::move(value.annotation), {}});
    return attributes;
}

InputSpec specOf(const PrintedValue &traced)
{
    return traced.name.starts_with(ofSelf)
        ? formats::graph_text::attributeSpec(std::string_view(traced.name).substr(ofSelf.size()))
        : formats::graph_text::inputSpecNamed(traced.name);
}

/// Whether two printed values may be the same. Strides and devices are not printed by all versions of torch, and types
/// of attributes not in all forms.
bool mayBeOne(const PrintedValue &traced, const PrintedValue &numbered)
{
    if (traced.annotation.empty() && traced.name.starts_with(ofSelf))
        return true;
    const auto type = printedType(traced.annotation), other = printedType(numbered.annotation);
    return type && other ? *type == *other : traced.annotation == numbered.annotation;
}

/// Returns attributes and inputs in the order in which AOTAutograd takes them: parameters before buffers, both before
/// the inputs. Nothing if the order is not known, or the inputs do not fit.
std::vector<PrintedValue> inOrderOf(const std::vector<PrintedValue> &numbered, std::vector<PrintedValue> attributes,
                                    const std::vector<PrintedValue> &inputs)
{
    // An attribute without a type may be a subgraph.
    if (attributes.size() + inputs.size() != numbered.size())
        std::erase_if(attributes, [](const PrintedValue &attribute) { return attribute.annotation.empty(); });
    std::vector<PrintedValue> parametersFirst = attributes;
    std::ranges::stable_partition(parametersFirst,
                                  [](const PrintedValue &each) { return specOf(each).kind == InputKind::Parameter; });
    std::vector<std::vector<PrintedValue>> fitting;
    for (std::vector<PrintedValue> *order : {&attributes, &parametersFirst}) {
        order->insert(order->end(), inputs.begin(), inputs.end());
        if (std::ranges::equal(*order, numbered, mayBeOne)
            && (fitting.empty()
                || !std::ranges::equal(fitting.front(), *order, {}, &PrintedValue::name, &PrintedValue::name)))
            fitting.push_back(*order);
    }
    return fitting.size() == 1 ? fitting.front() : std::vector<PrintedValue>();
}

/// An attribute or input of Dynamo's graph, and the input of AOTAutograd's graph that it became.
using Connection = std::pair<PrintedValue, PrintedValue>;

std::vector<Connection> connectionsBetween(const Excerpt &dynamo, const Excerpt &aot)
{
    std::vector<PrintedValue> numbered = printedInputs(aot);
    std::erase_if(numbered, isOfBackward);
    std::vector<PrintedValue> traced = printedInputs(dynamo);
    if (!std::ranges::equal(traced, numbered, mayBeOne))
        traced = inOrderOf(numbered, attributesOf(dynamo), traced);
    std::vector<Connection> connections;
    for (std::size_t i = 0; i < traced.size(); ++i)
        connections.emplace_back(std::move(traced[i]), std::move(numbered[i]));
    return connections;
}

std::vector<Connection> connectionsIn(const TracedInputs &inputs)
{
    std::vector<Connection> connections;
    for (const Excerpt &dynamo : inputs.dynamo)
        if (connections.empty() && inputs.aot)
            connections = connectionsBetween(dynamo, *inputs.aot);
    return connections;
}

} // namespace

InputSpecs specsOfAot(const TracedInputs &inputs)
{
    InputSpecs specs;
    for (const auto &[traced, numbered] : connectionsIn(inputs))
        if (InputSpec spec = specOf(traced); spec.kind != InputKind::User)
            specs.emplace(numbered.name, std::move(spec));
    return specs;
}

InputSpecs specsOfDynamo(const TracedInputs &inputs)
{
    InputSpecs specs;
    const auto add = [&](const PrintedValue &traced, const std::string &type) {
        if (!type.empty())
            specs.emplace(traced.name, specOf(traced)).first->second.type = type;
    };
    for (const auto &[traced, numbered] : connectionsIn(inputs))
        add(traced, numbered.annotation);
    for (const Excerpt &dynamo : inputs.dynamo)
        for (const auto &values : {printedInputs(dynamo), attributesOf(dynamo)})
            for (const PrintedValue &value : values)
                add(value, value.annotation);
    return specs;
}

void markSaved(ir::Function &forward, const TracedInputs &inputs)
{
    std::vector<PrintedValue> saved = inputs.backward ? printedInputs(*inputs.backward) : std::vector<PrintedValue>();
    std::erase_if(saved, isOfBackward);
    if (saved.size() >= forward.outputs.size()) // not possible, as a model has at least one result of its own
        return;
    for (ir::FunctionOutput &output : forward.outputs | std::views::drop(forward.outputs.size() - saved.size()))
        if (output.kind == ir::FunctionOutput::Kind::User)
            output.target = forward.graph.context().name(formats::graph_text::savedForBackward);
}

} // namespace cutaway::sequence
