// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/constant_operand.h"

#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"

namespace cutaway::ops {

namespace {

using ir::Operand;

std::optional<Operand> constantNumber(const NumberFact &fact)
{
    if (const auto *flag = std::get_if<bool>(&fact.value))
        return *flag;
    if (const auto *real = std::get_if<double>(&fact.value))
        return *real;
    const auto *size = std::get_if<ir::Dim>(&fact.value);
    const auto whole = size ? number(*size) : std::nullopt;
    if (!whole)
        return std::nullopt;
    return fact.kind == NumberFact::Kind::Float ? Operand(static_cast<double>(*whole))
        : fact.kind == NumberFact::Kind::Bool   ? Operand(*whole != 0)
                                                : Operand(*whole);
}

std::optional<Operand> constantList(ir::Context &context, const SequenceFact &sequence)
{
    if (!sequence.items())
        return std::nullopt;
    ir::List list{{}, sequence.kind};
    for (const Fact &item : sequence.each()) {
        auto operand = constantOperand(context, item);
        if (!operand)
            return std::nullopt;
        list.items.push_back(std::move(*operand));
    }
    return list;
}

} // namespace

std::optional<Operand> constantOperand(ir::Context &context, const Fact &fact)
{
    if (fact.as<NoneFact>())
        return ir::None{};
    if (const auto *number = fact.as<NumberFact>())
        return constantNumber(*number);
    if (const auto *sequence = fact.as<SequenceFact>())
        return constantList(context, *sequence);
    if (const auto *text = fact.as<TextFact>())
        return ir::String{context.name(text->text)};
    if (const auto *dtype = fact.as<ir::DType>())
        return *dtype;
    if (const auto *device = fact.as<ir::Device>())
        return *device;
    if (const auto *layout = fact.as<ir::Layout>())
        return *layout;
    const auto *format = fact.as<ir::MemoryFormat>();
    return format ? std::optional<Operand>(*format) : std::nullopt;
}

} // namespace cutaway::ops
