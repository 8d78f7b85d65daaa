// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/constant_folder.h"

#include "core/formats/torchscript/lowering/folding.h"
#include "core/ir/node_ref.h"

namespace cutaway::formats::torchscript {

namespace {

/// What is known this deep is folded before the functions above are optimized.
bool isFoldedFirst(std::uint32_t level) { return level >= 2; }

/// A constant that torch has computed for what is known from this level on.
Typed computedAt(std::uint32_t level, Typed constant)
{
    constant.level = level;
    if (!isFoldedFirst(level))
        constant.constant = Typed::Constant::Computed;
    return constant;
}

} // namespace

Typed ConstantFolder::constant(ir::Operand operand) const
{
    const ir::TypeId type = m_types.ofConstant(m_model, operand);
    return {std::move(operand), type, type, Typed::Constant::Written, m_calls.level()};
}

std::optional<Typed> ConstantFolder::valueOf(const OperatorCall &call)
{
    auto operand = isActive() && call.named.empty() ? operandOf(call) : std::nullopt;
    if (!operand)
        return std::nullopt;
    m_hasFolded = true;
    std::uint32_t level = m_calls.level();
    for (const Typed &argument : call.positional)
        level = std::min(level, levelOf(argument));
    return computedAt(level, constant(std::move(*operand)));
}

std::optional<ir::Operand> ConstantFolder::operandOf(const OperatorCall &call) const
{
    const ir::Context &context = *m_model.context;
    if (auto rank =
            call.name == "dim" && call.positional.size() == 1 ? convolutionRank(call.positional[0]) : std::nullopt)
        return *rank;
    const bool isIdentity = call.dialect == "aten" && (call.name == "__is__" || call.name == "__isnot__");
    if (isIdentity && call.positional.size() == 2) {
        const auto a = isNone(context, call.positional[0]);
        const auto b = isNone(context, call.positional[1]);
        if (a && b && (*a || *b))
            return (*a == *b) == (call.name == "__is__");
    }
    return fold(context, call.dialect, call.name, call.positional);
}

/// What a convolution that is inlined too gives: torch looks for it to fuse batch norms.
std::optional<std::int64_t> ConstantFolder::convolutionRank(const Typed &tensor) const
{
    const auto made = ir::valueOf(m_graph, &tensor.operand).and_then(&ir::ValueRef::producer);
    if (!made || m_calls.levelOf(made->id()) == 0)
        return std::nullopt;
    for (const auto &[convolution, rank] : {std::pair("conv1d", 3), {"conv2d", 4}, {"conv3d", 5}})
        if (made->opName() == convolution)
            return rank;
    return std::nullopt;
}

/// The innermost function being inlined that knows the value.
std::uint32_t ConstantFolder::levelOf(const Typed &value) const
{
    if (value.constant != Typed::Constant::No)
        return value.level;
    const auto made = ir::valueOf(m_graph, &value.operand).and_then(&ir::ValueRef::producer);
    return made ? m_calls.levelOf(made->id(), value.level) : value.level;
}

std::optional<ConstantFolder::Decision> ConstantFolder::decide(const Typed &condition)
{
    const auto *known = condition.operand.as<bool>();
    if (!known || condition.constant == Typed::Constant::No || !isActive())
        return std::nullopt;
    m_hasFolded = true;
    return Decision{*known, isFoldedFirst(condition.level)};
}

std::optional<Typed> ConstantFolder::join(const Typed &then, const Typed &orElse, const Typed &condition)
{
    if (!isActive() || then.constant == Typed::Constant::No || orElse.constant == Typed::Constant::No)
        return std::nullopt;
    const bool areWritten = then.constant == orElse.constant && then.constant == Typed::Constant::Written;
    const auto *value = then.operand.as<bool>();
    const auto *other = orElse.operand.as<bool>();
    const bool isCondition = areWritten && value && other && *value && !*other;
    if (!isCondition && !(then.operand == orElse.operand))
        return std::nullopt;
    m_hasFolded = true;
    if (isCondition)
        return condition;
    return computedAt(std::min({then.level, orElse.level, levelOf(condition)}), then);
}

} // namespace cutaway::formats::torchscript
