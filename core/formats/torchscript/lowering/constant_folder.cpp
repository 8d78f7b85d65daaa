// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/constant_folder.h"

#include "core/base/checked.h"
#include "core/formats/torchscript/lowering/folding.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

/// Whether torch folds a constant that is known at `level` before it optimizes the callers.
bool isFoldedFirst(std::uint32_t level) { return level >= 2; }

/// Marks a constant that torch computes from values that are known from this level on.
Typed computedAt(std::uint32_t level, Typed constant)
{
    constant.level = level;
    if (!isFoldedFirst(level))
        constant.constant = Typed::Constant::Computed;
    return constant;
}

const ir::List *knownList(const Typed &value)
{
    return value.constant != Typed::Constant::No && !value.castLevel ? value.operand.as<ir::List>() : nullptr;
}

std::optional<Typed> concatenation(const Typed &first, const Typed &second)
{
    const ir::List *items = knownList(first), *more = knownList(second);
    if (!items || !more)
        return std::nullopt;
    ir::List all = *items;
    for (const ir::Operand &item : more->items)
        all.items.push_back(item);
    return Typed{std::move(all), first.type, first.seen, first.constant};
}

std::optional<Typed> itemAt(const ir::Context &context, const Typed &list, const Typed &index)
{
    const ir::List *items = knownList(list);
    const auto *number = index.constant == Typed::Constant::No ? nullptr : index.operand.as<std::int64_t>();
    const auto at = items && number ? pythonIndex(*number, items->items.size()) : std::nullopt;
    const auto *type = std::get_if<ir::CompoundType>(&context.at(list.type));
    if (!at || !type || type->elements.size() != 1)
        return std::nullopt;
    const ir::Operand &item = items->items[*at];
    return Typed{item, type->elements[0], type->elements[0],
                 item.as<ir::ValueId>() ? Typed::Constant::No : list.constant};
}

} // namespace

Typed ConstantFolder::constant(ir::Operand operand) const
{
    const ir::TypeId type = m_types.ofConstant(operand);
    return {std::move(operand), type, type, Typed::Constant::Written, m_calls.level()};
}

std::optional<Typed> ConstantFolder::known(const OperatorCall &call)
{
    auto value = computed(call);
    return value ? value : simplified(call);
}

std::optional<Typed> ConstantFolder::computed(const OperatorCall &call)
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
    if (!isActive() || call.dialect != "aten" || call.positional.size() != 2 || !call.named.empty())
        return std::nullopt;
    const Typed &first = call.positional[0], &second = call.positional[1];
    std::optional<Typed> value;
    if (call.name == "add")
        value = concatenation(first, second);
    else if (call.name == "__getitem__")
        value = itemAt(*m_model.context, first, second);
    if (value) {
        value->level = std::min(levelOf(first), levelOf(second));
        m_calls.changes(value->level).byPeephole = true;
    }
    return value;
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

/// Returns the level of the innermost function being inlined that knows the value.
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
