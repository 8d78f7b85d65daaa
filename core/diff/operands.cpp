// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/operands.h"

#include "core/ir/context.h"
#include "core/ops/fact_source.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/creation.h"
#include "core/ops/tensor/view.h"

#include <algorithm>

namespace cutaway::diff {

Operands::Operands(const Matching &matching, Subject &subject)
    : m_matching(matching),
      m_subject(subject),
      m_signatures(subject.side.graph().context()),
      m_calls(subject.side.model, m_signatures,
              [this](ir::ValueId value) { return &m_subject.side.analysis.shapes.of(value); }),
      m_printer(m_text, subject.side.model),
      m_inputItems(graph().valueCount()),
      m_weights(graph().valueCount())
{
    for (std::uint32_t i = 0; i < graph().valueCount(); ++i) {
        const ir::ValueRef value(graph(), ir::ValueId{i});
        m_labels.add(value, value->name);
        m_weights[i] = value.weight();
    }
    m_printer.setValues(&m_labels);
    for (const ir::FunctionInput &input : subject.side.function().inputs)
        if (const auto *value = input.value.as<ir::ValueId>(); value && input.kind != ir::FunctionInput::Kind::User)
            m_weights[value->index] = input.tensor;
    const std::vector<bool> isBound = boundInputs(subject.side.function());
    for (const ir::ValueId value : graph().at(ir::Graph::body).inputs)
        if (!isBound[value.index]) {
            m_inputItems[value.index] = static_cast<std::uint32_t>(m_inputs.size());
            m_inputs.push_back(value);
        }
}

std::string Operands::text(const ir::Operand &operand)
{
    m_text.clear();
    m_printer.append(operand);
    return m_text;
}

const ops::Fact *Operands::defaultOf(const ir::NodeRef &node, std::string_view argument)
{
    const ops::Signature *signature = m_signatures.of(node->op);
    if (!signature)
        return nullptr;
    const auto &declared = signature->schema.arguments;
    const auto found = std::ranges::find(declared, argument, &ops::SchemaArgument::name);
    return found == declared.end() ? nullptr : &signature->defaults[static_cast<std::size_t>(found - declared.begin())];
}

ops::Fact Operands::constant(const ir::Operand &operand) const
{
    return ops::factOf(graph().context(), ops::FactSource(), operand);
}

std::optional<ir::TensorId> Operands::weightOf(const ir::Operand &operand) const
{
    if (const auto *tensor = operand.as<ir::TensorId>())
        return *tensor;
    const auto *value = operand.as<ir::ValueId>();
    return value ? m_weights[value->index] : std::nullopt;
}

std::string Operands::weightText(ir::TensorId weight) const
{
    const ir::Tensor &tensor = m_subject.side.model.at(weight);
    ir::Shape shape;
    for (const std::int64_t size : tensor.shape)
        shape.emplace_back(size);
    return std::string(ir::name(tensor.dtype)) + ir::print(shape);
}

std::string Operands::nameOf(ir::TensorId weight) const
{
    return std::string(graph().context().text(m_subject.side.model.at(weight).name));
}

std::optional<Operands::ReadWeight> Operands::readWeight(const ir::Operand &operand) const
{
    const ir::Operand *at = &operand;
    for (bool isTransposed = false;;) {
        if (const auto weight = weightOf(*at))
            return ReadWeight{*weight, isTransposed};
        const auto value = ir::valueOf(graph(), at);
        const auto producer = value ? value->producer() : std::nullopt;
        if (!producer || (*producer)->arguments.empty())
            return {};
        const ops::OperatorKind kind = ops::kindOf(*producer);
        const auto *tensor = ops::asTensor(m_subject.side.analysis.shapes.of(*value));
        const bool isMatrix = tensor && tensor->shape && tensor->shape->size() == 2;
        if (isMatrix
            && (kind == ops::kind::t || kind == ops::kind::matrixTranspose || kind == ops::kind::transpose
                || kind == ops::kind::permute))
            isTransposed = !isTransposed;
        else if (kind != ops::kind::alias && kind != ops::kind::constant)
            return {};
        at = &(*producer)->arguments.front().value;
    }
}

const ir::Operand *Operands::argument(const ir::NodeRef &node, ops::Position position)
{
    return position ? ops::givenArgument(node, m_signatures.of(node->op), *position) : nullptr;
}

std::optional<Operands::Origin> Operands::originOf(ir::ValueId value) const
{
    const ir::Definition &definition = graph().at(value).definition;
    if (const auto *result = std::get_if<ir::NodeResult>(&definition)) {
        const auto item = m_subject.outline.byNode[result->node.index];
        return item ? std::optional(Origin{*item, result->index}) : std::nullopt;
    }
    if (m_inputItems[value.index])
        return Origin{*m_inputItems[value.index], 0};
    const auto *input = std::get_if<ir::RegionInput>(&definition);
    const auto owner = input ? graph().at(input->region).owner : std::nullopt;
    const auto item = owner ? m_subject.outline.byNode[owner->index] : std::nullopt;
    constexpr std::size_t behindResults = 1u << 16;
    return item ? std::optional(Origin{*item, behindResults + input->index}) : std::nullopt;
}

std::vector<std::uint32_t> Operands::reached(std::uint32_t start) const
{
    constexpr std::size_t farEnough = 100;
    std::vector<std::uint32_t> found, open{start}, seen{start};
    while (!open.empty() && seen.size() < farEnough) {
        const std::uint32_t item = open.back();
        open.pop_back();
        if (isMatched(item)) {
            found.push_back(&m_subject == &m_matching.a() ? item : m_matching.partnerOfB(item)->item);
            continue;
        }
        for (const std::uint32_t producer : m_subject.outline.items[item].producers)
            if (std::ranges::find(seen, producer) == seen.end()) {
                seen.push_back(producer);
                open.push_back(producer);
            }
    }
    std::ranges::sort(found);
    return found;
}

} // namespace cutaway::diff
