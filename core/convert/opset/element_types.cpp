// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/opset/element_types.h"

#include "core/base/formatted.h"
#include "core/ops/onnx_versions.h"

namespace cutaway::convert {

namespace {

/// Returns the letter for a tensor's dtype; 0 for a dtype that ONNX does not have.
char letterOf(ir::DType dtype)
{
    const auto number = ir::numberOf(dtype, ir::Numbering::Onnx);
    return number ? static_cast<char>('a' - 1 + *number) : '\0';
}

/// Returns the letter for the type of a fact; 0 if the type is not known, or has none.
char letterOf(const ops::Fact &fact) { return ops::onnxTypeLetter(fact).value_or('\0'); }

std::string textOf(const ops::Fact &fact)
{
    if (const auto *tensor = std::get_if<ops::TensorFact>(&fact.v); tensor && tensor->dtype)
        return std::string(ir::name(*tensor->dtype));
    return fact.as<ops::SequenceFact>() ? "sequences" : "optional values";
}

/// Whether a type, given by its letter, is not among the types `now`, although it is among the types `before`. If
/// `before` is nullptr, only `now` counts.
bool lost(const std::string_view *before, std::string_view now, char letter)
{
    return letter != '\0' && (!before || before->contains(letter)) && !now.contains(letter);
}

} // namespace

std::optional<bool> takesInput(std::string_view op, std::int64_t opset, std::size_t position, ir::DType dtype)
{
    const ops::OnnxTypes *types = ops::onnxTypesIn(op, opset);
    return types ? std::optional(types->input(position).contains(letterOf(dtype))) : std::nullopt;
}

std::optional<bool> makesResult(std::string_view op, std::int64_t opset, std::size_t position, ir::DType dtype)
{
    const ops::OnnxTypes *types = ops::onnxTypesIn(op, opset);
    return types ? std::optional(types->output(position).contains(letterOf(dtype))) : std::nullopt;
}

std::optional<std::string> typeFault(const ir::NodeRef &node, const analysis::Shapes &shapes, std::int64_t before,
                                     std::int64_t opset)
{
    const ops::OnnxTypes *old = ops::onnxTypesIn(node.opName(), before), *now = ops::onnxTypesIn(node.opName(), opset);
    if (!node->origins.empty())
        old = nullptr; // a rule of the new opset has made the node
    if (!now)
        return std::nullopt;
    const auto fault = [&](const ops::Fact &fact) {
        return formatted("opset {} does not take {}", opset, textOf(fact));
    };
    for (std::size_t i = 0; i < node.inputCount(); ++i)
        if (const auto *value = node.input(i)->as<ir::ValueId>()) {
            const ops::Fact &fact = shapes.of(*value);
            const std::string_view had = old ? old->input(i) : std::string_view();
            if (lost(old ? &had : nullptr, now->input(i), letterOf(fact)))
                return fault(fact);
        }
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ops::Fact &fact = shapes.of(node.output(i));
        const std::string_view had = old ? old->output(i) : std::string_view();
        if (lost(old ? &had : nullptr, now->output(i), letterOf(fact)))
            return fault(fact);
    }
    return std::nullopt;
}

} // namespace cutaway::convert
