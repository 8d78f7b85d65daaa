// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/constant_folder.h"

#include "core/formats/torchscript/lowering/folding.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

/// Whether torch folds constants known at `level` before it optimizes the functions above.
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
    const ir::TypeId type = m_types.ofConstant(operand);
    return {std::move(operand), type, type, Typed::Constant::Written, m_calls.level()};
}

std::optional<Typed> ConstantFolder::valueOf(const OperatorCall &call)
{
    const bool isBehindCast = std::ranges::any_of(
        call.positional, [](const Typed &value) { return value.castLevel && value.operand.as<ir::List>(); });
    auto operand = isActive() && call.named.empty() && !isBehindCast ? operandOf(call) : std::nullopt;
    if (!operand)
        return std::nullopt;
    std::uint32_t level = m_calls.level();
    for (const Typed &argument : call.positional)
        level = std::min(level, levelOf(argument));
    m_calls.changes(level).byConstants = true;
    return computedAt(level, constant(std::move(*operand)));
}

void ConstantFolder::noteNumber(const OperatorCall &call)
{
    static constexpr std::array names{"Int", "Float", "IntImplicit", "FloatImplicit", "ScalarImplicit"};
    if (!isActive() || call.dialect != "aten" || call.positional.empty() || !std::ranges::contains(names, call.name))
        return;
    const auto made = ir::valueOf(m_graph, &call.positional[0].operand).and_then(&ir::ValueRef::producer);
    if (made && made->opName() == "NumToTensor")
        m_calls.changes(m_calls.levelOf(made->id())).byPeephole = true;
}

std::optional<std::uint32_t> ConstantFolder::levelOfCast(const Typed &value, ir::TypeId wanted)
{
    if (!isActive())
        return std::nullopt;
    if (value.seen != wanted)
        return 0;
    const std::uint32_t level = std::max(1u, levelOf(value));
    m_calls.changes(level).byPeephole = true;
    return std::min(level, value.castLevel.value_or(level));
}

std::optional<Typed> ConstantFolder::simplified(const OperatorCall &call)
{
    const auto list = [](const Typed &value) {
        return value.constant != Typed::Constant::No && !value.castLevel ? value.operand.as<ir::List>() : nullptr;
    };
    const auto *items = isActive() && call.positional.size() == 2 && call.dialect == "aten" && call.named.empty()
        ? list(call.positional[0])
        : nullptr;
    if (!items)
        return std::nullopt;
    const Typed &first = call.positional[0], &second = call.positional[1];
    const std::uint32_t level = std::min(levelOf(first), levelOf(second));
    if (const auto *more = call.name == "add" ? list(second) : nullptr) {
        ir::List all = *items;
        for (const ir::Operand &item : more->items)
            all.items.push_back(item);
        m_calls.changes(level).byPeephole = true;
        return Typed{std::move(all), first.type, first.seen, first.constant, level};
    }
    const auto *number = second.constant == Typed::Constant::No ? nullptr : second.operand.as<std::int64_t>();
    const auto *type = std::get_if<ir::CompoundType>(&m_model.context->at(first.type));
    if (call.name != "__getitem__" || !number || !type || type->elements.size() != 1)
        return std::nullopt;
    const std::int64_t at = *number < 0 ? *number + std::ssize(items->items) : *number;
    if (at < 0 || at >= std::ssize(items->items))
        return std::nullopt;
    m_calls.changes(level).byPeephole = true;
    const ir::Operand &item = items->items[static_cast<std::size_t>(at)];
    return Typed{item, type->elements[0], type->elements[0],
                 item.as<ir::ValueId>() ? Typed::Constant::No : first.constant, level};
}

std::optional<ir::Operand> ConstantFolder::operandOf(const OperatorCall &call) const
{
    const ir::Context &context = *m_model.context;
    const bool isIdentity = call.dialect == "aten" && (call.name == "__is__" || call.name == "__isnot__");
    if (isIdentity && call.positional.size() == 2) {
        const auto a = isNone(context, call.positional[0]);
        const auto b = isNone(context, call.positional[1]);
        if (a && b && (*a || *b))
            return (*a == *b) == (call.name == "__is__");
    }
    return fold(context, call.dialect, call.name, call.positional);
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
    m_calls.changes(condition.level).byConstants = true;
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
    const std::uint32_t level = std::min({then.level, orElse.level, levelOf(condition)});
    m_calls.changes(level).byConstants = true;
    return isCondition ? condition : computedAt(level, then);
}

} // namespace cutaway::formats::torchscript
