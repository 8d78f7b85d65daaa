// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/body_lowering.h"

#include <algorithm>
#include <limits>
#include <ranges>

namespace cutaway::formats::torchscript {

namespace {

constexpr std::string_view noHint;

std::string_view nameIn(const Tree &tree, ExpressionId id)
{
    const auto *name = std::get_if<Name>(&tree.at(id).kind);
    return name ? name->text : noHint;
}

} // namespace

Term BodyLowering::run()
{
    block(m_function.syntax->body);
    return m_result ? std::move(*m_result) : Term(Typed{ir::None{}, none()});
}

void BodyLowering::block(const Block &block)
{
    for (const StatementId id : block) {
        if (m_lowering.task.stopRequested())
            return;
        statement(id);
    }
}

void BodyLowering::statement(StatementId id)
{
    ++m_nesting.depth;
    std::visit([&](const auto &kind) { lower(id, kind); }, tree().at(id).kind);
    --m_nesting.depth;
}

void BodyLowering::assign(std::string_view name, Term term)
{
    const auto known = m_names.find(name);
    m_undo.emplace_back(name, known == m_names.end() ? std::nullopt : std::optional(std::move(known->second)));
    m_names.insert_or_assign(name, std::move(term));
}

void BodyLowering::undo(std::size_t mark)
{
    for (; m_undo.size() > mark; m_undo.pop_back()) {
        auto &[name, before] = m_undo.back();
        if (before)
            m_names.insert_or_assign(name, std::move(*before));
        else
            m_names.erase(name);
    }
}

void BodyLowering::assignTo(ExpressionId target, Term term)
{
    const Expression &expression = tree().at(target);
    if (const auto *name = std::get_if<Name>(&expression.kind))
        return assign(name->text, std::move(term));
    const auto *attribute = std::get_if<Attribute>(&expression.kind);
    if (!attribute) {
        unknown("a value is given to something that is neither a name nor an attribute", expression.place);
        return;
    }
    Typed assigned = asValue(std::move(term));
    Term object = this->term(attribute->object);
    std::string name(attribute->name);
    ir::Operand self;
    if (const auto *module = std::get_if<ModuleTerm>(&object)) {
        name = module->path.empty() ? name : module->path + "." + name;
        self = m_writer.root().operand;
    } else {
        self = asValue(std::move(object)).operand;
    }
    m_writer.append(at(expression.place), m_writer.op("prim", "SetAttr"),
                    {m_writer.argument("self", std::move(self)), m_writer.argument("name", m_writer.text(name)),
                     m_writer.argument("value", std::move(assigned.operand))});
}

void BodyLowering::lower(StatementId id, const Assign &assign)
{
    const Place place = tree().at(id).place;
    std::vector<std::string_view> hints;
    for (const ExpressionId target : assign.targets)
        hints.push_back(nameIn(tree(), target));
    std::vector<Term> terms;
    const auto *operation =
        assign.targets.size() > assign.values.size() ? std::get_if<Call>(&tree().at(assign.values[0]).kind) : nullptr;
    if (operation) {
        if (const auto op = operatorOf(*operation))
            for (Typed &result : operatorResults(op->first, op->second, *operation, place, hints))
                terms.emplace_back(std::move(result));
    } else {
        for (std::size_t i = 0; i < assign.values.size(); ++i) {
            terms.push_back(term(assign.values[i], hints[i]));
            auto *value = std::get_if<Typed>(&terms.back());
            if (value && !isOptimized() && std::holds_alternative<Call>(tree().at(assign.values[i]).kind))
                m_writer.renameInput(value->operand, hints[i]);
            const auto *list = value ? value->operand.as<ir::List>() : nullptr;
            if (list && list->kind == ir::List::Kind::List && !m_facts.isOnlyRead(hints[i]))
                *value = kept(std::move(*value), place, hints[i]);
        }
    }
    if (terms.size() != assign.targets.size())
        unknown("as many values are wanted as there are names on the left", place);
    terms.resize(assign.targets.size(), Typed{ir::None{}, {}});
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (auto *value = std::get_if<Typed>(&terms[i]); value && assign.type)
            value->type = typeOf(*assign.type);
        assignTo(assign.targets[i], std::move(terms[i]));
    }
}

void BodyLowering::lower(StatementId id, const Unpack &unpack)
{
    std::vector<std::string_view> hints;
    for (const ExpressionId target : unpack.targets)
        hints.push_back(nameIn(tree(), target));
    std::vector<Typed> items = unpacked(value(unpack.value), hints, tree().at(id).place);
    for (std::size_t i = 0; i < unpack.targets.size(); ++i)
        assignTo(unpack.targets[i], std::move(items[i]));
}

/// As many items as there are hints.
std::vector<Typed> BodyLowering::unpacked(Typed value, std::span<const std::string_view> hints, Place place)
{
    const ir::Context &context = *m_lowering.model.context;
    const auto *compound = std::get_if<ir::CompoundType>(&context.at(value.type));
    const bool isTuple = compound && compound->kind == ir::CompoundType::Kind::Tuple;
    const auto typeAt = [&](std::size_t i) {
        if (!compound)
            return ir::TypeId{};
        if (isTuple)
            return i < compound->elements.size() ? compound->elements[i] : ir::TypeId{};
        return compound->kind == ir::CompoundType::Kind::List ? compound->elements[0] : ir::TypeId{};
    };
    std::vector<Typed> items;
    auto *list = std::get_if<ir::List>(&value.operand.v);
    if (list && list->items.size() == hints.size()) {
        for (std::size_t i = 0; i < hints.size(); ++i)
            items.push_back({std::move(list->items[i]), typeAt(i)});
        return items;
    }
    const ir::NodeId node = m_writer.append(at(place), m_writer.op("prim", isTuple ? "TupleUnpack" : "ListUnpack"),
                                            {m_writer.argument("", std::move(value.operand))});
    for (std::size_t i = 0; i < hints.size(); ++i)
        items.push_back(m_writer.addResult(node, typeAt(i), hints[i]));
    return items;
}

void BodyLowering::lower(StatementId, const Evaluate &evaluate) { term(evaluate.value); }

bool BodyLowering::isNeededAfter(std::string_view name, StatementId id) const
{
    return m_facts.isReadAfter(name, m_facts.extent(id))
        || std::ranges::any_of(m_carried, [name](const auto &names) { return std::ranges::contains(names, name); });
}

/// What the names stand for at the end of a block that is lowered into a region of its own.
std::vector<Term> BodyLowering::blockResults(const Block &block, ir::RegionId region,
                                             std::span<const std::string_view> names)
{
    const std::size_t start = mark();
    const ir::RegionId outer = std::exchange(m_at.region, region);
    this->block(block);
    std::vector<Term> results;
    for (const std::string_view name : names) {
        const auto known = m_names.find(name);
        // Not every way gives it a value: the others raise.
        results.push_back(known == m_names.end() ? Term(Typed{ir::None{}, {}}) : known->second);
    }
    undo(start);
    m_at.region = outer;
    return results;
}

void BodyLowering::lower(StatementId id, const If &branch)
{
    Typed condition = value(branch.condition);
    const auto *known = condition.operand.as<bool>();
    if (known && condition.constant != Typed::Constant::No && isOptimized())
        return takeBranch(id, *known ? branch.then : branch.orElse, *known ? branch.orElse : branch.then,
                          condition.level >= 2);
    const Cursor here = at(tree().at(id).place);
    const auto &then = m_facts.assigned(branch.then);
    const auto &orElse = m_facts.assigned(branch.orElse);
    std::vector<std::string_view> names;
    for (const auto *assigned : {&then, &orElse})
        for (const std::string_view name : *assigned) {
            const bool isSet = m_names.contains(name)
                || (assigned == &then ? std::ranges::contains(orElse, name) : std::ranges::contains(then, name));
            if (isSet && !std::ranges::contains(names, name) && isNeededAfter(name, id))
                names.push_back(name);
        }
    const ir::NodeId node =
        m_writer.append(here, m_writer.op("prim", "If"), {m_writer.argument("cond", condition.operand)});
    std::array<ir::RegionId, 2> regions;
    std::array<std::vector<Term>, 2> results;
    for (std::size_t side : {0u, 1u}) {
        regions[side] = m_writer.graph.addRegion(node, m_lowering.model.context->name(side ? "else" : "then"));
        results[side] = blockResults(side ? branch.orElse : branch.then, regions[side], names);
    }
    std::array<std::vector<ir::Operand>, 2> outputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!std::holds_alternative<Typed>(results[0][i]) && results[0][i] == results[1][i]) {
            assign(names[i], std::move(results[0][i])); // the same module or function on both sides
            continue;
        }
        const auto *first = std::get_if<Typed>(&results[0][i]);
        const auto *second = std::get_if<Typed>(&results[1][i]);
        if (auto same = first && second ? joined(*first, *second, condition) : std::nullopt) {
            assign(names[i], std::move(*same));
            continue;
        }
        ir::TypeId type;
        for (std::size_t side : {0u, 1u}) {
            const ir::RegionId outer = std::exchange(m_at.region, regions[side]);
            Typed end = asValue(std::move(results[side][i]));
            m_at.region = outer;
            type = side ? m_lowering.types.join(type, end.type) : end.type;
            outputs[side].push_back(std::move(end.operand));
        }
        assign(names[i], m_writer.addResult(node, type, names[i]));
    }
    for (std::size_t side : {0u, 1u})
        m_writer.graph.setOutputs(regions[side], std::move(outputs[side]));
}

/// A branch whose condition is known. Where torch decides by type, it has not taken the branch yet, and a name may
/// still be what the other side makes it; settled is what was taken before a caller is optimized.
void BodyLowering::takeBranch(StatementId id, const Block &taken, const Block &left, bool isSettled)
{
    m_nesting.hasFolded = true;
    block(taken);
    if (isSettled)
        return;
    for (const std::string_view name : m_facts.assigned(taken)) {
        const auto known = m_names.find(name);
        auto *value = known == m_names.end() || !isNeededAfter(name, id) ? nullptr : std::get_if<Typed>(&known->second);
        if (!value)
            continue;
        if (const auto other = typeLeft(left, name))
            value->seen = m_lowering.types.join(value->seen, *other);
        if (value->constant == Typed::Constant::Written)
            value->constant = Typed::Constant::Computed;
    }
}

/// The type of a name at the end of a block that is not lowered, as far as the code has it in so many words.
std::optional<ir::TypeId> BodyLowering::typeLeft(const Block &block, std::string_view name) const
{
    for (const StatementId id : std::views::reverse(block)) {
        if (const auto *branch = std::get_if<If>(&tree().at(id).kind)) {
            const auto then = typeLeft(branch->then, name);
            const auto orElse = typeLeft(branch->orElse, name);
            if (then && orElse)
                return m_lowering.types.join(*then, *orElse);
        }
        const auto *assign = std::get_if<Assign>(&tree().at(id).kind);
        for (std::size_t i = 0; assign && i < assign->targets.size() && i < assign->values.size(); ++i) {
            if (nameIn(tree(), assign->targets[i]) != name)
                continue;
            if (assign->type)
                return typeOf(*assign->type);
            if (const auto *from = std::get_if<Name>(&tree().at(assign->values[i]).kind))
                if (const auto inside = typeLeft(block, from->text); inside && from->text != name)
                    return inside;
            return typeWritten(assign->values[i]);
        }
    }
    return std::nullopt;
}

std::optional<ir::TypeId> BodyLowering::typeWritten(ExpressionId id) const
{
    const Expression::Kind &kind = tree().at(id).kind;
    if (const auto *literal = std::get_if<Literal>(&kind))
        return std::holds_alternative<NoneLiteral>(*literal) ? std::optional(none()) : std::nullopt;
    if (const auto *cast = std::get_if<UncheckedCast>(&kind))
        return typeOf(cast->type);
    if (const auto *empty = std::get_if<Uninitialized>(&kind))
        return typeOf(empty->type);
    const auto *name = std::get_if<Name>(&kind);
    const auto known = name ? m_names.find(name->text) : m_names.end();
    const auto *value = known == m_names.end() ? nullptr : std::get_if<Typed>(&known->second);
    return value ? std::optional(value->seen) : std::nullopt;
}

/// What needs no result of the branch, for torch's optimizer: a constant that both sides give, or the condition itself.
std::optional<Typed> BodyLowering::joined(const Typed &then, const Typed &orElse, const Typed &condition)
{
    if (!isOptimized() || then.constant == Typed::Constant::No || orElse.constant == Typed::Constant::No)
        return std::nullopt;
    const bool areWritten = then.constant == orElse.constant && then.constant == Typed::Constant::Written;
    const auto *truth = then.operand.as<bool>();
    const auto *other = orElse.operand.as<bool>();
    const bool isCondition = areWritten && truth && other && *truth && !*other;
    if (!isCondition && !(then.operand == orElse.operand))
        return std::nullopt;
    m_nesting.hasFolded = true;
    if (isCondition)
        return condition;
    Typed constant = then;
    constant.level = std::min({then.level, orElse.level, levelOf(condition)});
    if (constant.level < 2)
        constant.constant = Typed::Constant::Computed;
    return constant;
}

void BodyLowering::lower(StatementId id, const While &loop)
{
    Typed condition = value(loop.condition);
    this->loop(id, loop.body, {std::numeric_limits<std::int64_t>::max(), number(ir::NumberType::Kind::Int)},
               std::move(condition), std::nullopt, loop.condition);
}

void BodyLowering::lower(StatementId id, const For &loop)
{
    this->loop(id, loop.body, value(loop.count), {true, number(ir::NumberType::Kind::Bool)}, loop.variable,
               std::nullopt);
}

/// prim::Loop(trip count, condition, carried…): its region gets the count and what is carried, and gives the next
/// condition and what is carried on.
void BodyLowering::loop(StatementId id, const Block &body, Typed tripCount, Typed condition,
                        std::optional<std::string_view> counter, std::optional<ExpressionId> next)
{
    const Cursor here = at(tree().at(id).place);
    std::vector<std::string_view> carried;
    for (const std::string_view name : m_facts.assigned(body)) {
        const Facts::Extent extent = m_facts.extent(id);
        // The statement itself reads the condition; that it does so again is part of the loop.
        const bool isRead = m_facts.isReadWithin(name, {extent.begin + 1, extent.end}) || isNeededAfter(name, id);
        if (m_names.contains(name) && isRead)
            carried.push_back(name);
    }
    // As torch orders them on loading: what is used behind the loop, then the others by name.
    std::ranges::sort(
        std::ranges::stable_partition(carried, [this, id](std::string_view name) { return isNeededAfter(name, id); }));
    std::vector<ir::Argument> arguments{m_writer.argument("trip_count", std::move(tripCount.operand)),
                                        m_writer.argument("cond", std::move(condition.operand))};
    std::vector<ir::TypeId> types;
    for (const std::string_view name : carried) {
        Typed start = asValue(m_names.at(name));
        arguments.push_back(m_writer.argument("", std::move(start.operand)));
        types.push_back(start.type);
    }
    const ir::NodeId node = m_writer.append(here, m_writer.op("prim", "Loop"), std::move(arguments));
    const ir::RegionId region = m_writer.graph.addRegion(node, m_lowering.model.context->name("body"));
    const std::size_t start = mark();
    const ir::RegionId outer = std::exchange(m_at.region, region);
    Typed index = m_writer.addInput(region, number(ir::NumberType::Kind::Int), counter.value_or("i"));
    if (counter)
        assign(*counter, std::move(index));
    std::vector<ir::ValueId> inputs;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        Typed input = m_writer.addInput(region, types[i], carried[i]);
        inputs.push_back(*input.operand.as<ir::ValueId>());
        assign(carried[i], std::move(input));
    }
    m_carried.push_back(carried);
    block(body);
    std::vector<ir::Operand> outputs{next ? value(*next).operand : ir::Operand(true)};
    for (std::size_t i = 0; i < carried.size(); ++i) {
        Typed end = asValue(m_names.at(carried[i]));
        types[i] = m_lowering.types.join(types[i], end.type);
        m_writer.graph.setType(inputs[i], types[i]);
        outputs.push_back(std::move(end.operand));
    }
    m_carried.pop_back();
    undo(start);
    m_at.region = outer;
    m_writer.graph.setOutputs(region, std::move(outputs));
    for (std::size_t i = 0; i < carried.size(); ++i)
        assign(carried[i], m_writer.addResult(node, types[i], carried[i]));
}

/// The object's __enter__ and __exit__ run at the two ends; what is between stays where it is.
void BodyLowering::lower(StatementId id, const With &with)
{
    const Cursor here = at(tree().at(id).place);
    const Typed context = value(with.context);
    const auto *type = std::get_if<ir::ClassType>(&m_lowering.model.context->at(context.type));
    const ClassDefinition *definition =
        type ? m_lowering.code.findClass(m_lowering.model.context->text(type->name)) : nullptr;
    const FunctionDefinition *enter = definition ? definition->method("__enter__") : nullptr;
    const ir::TypeId result = enter && enter->syntax->result
        ? m_lowering.types.of(enter->unit->file.tree, *enter->syntax->result)
        : ir::TypeId{};
    Typed entered = m_writer.emit(here, m_writer.op("prim", "Enter"), {m_writer.argument("", context.operand)}, result,
                                  with.variable.value_or(noHint));
    if (with.variable)
        assign(*with.variable, std::move(entered));
    block(with.body);
    m_writer.append(here, m_writer.op("prim", "Exit"), {m_writer.argument("", context.operand)});
}

/// torch writes one return, at a function's end. In a branch or a loop it would be of values that do not live there.
void BodyLowering::lower(StatementId id, const Return &result)
{
    if (m_at.region != m_begun) {
        unknown("a return inside a block, which torch does not write, is left out", tree().at(id).place);
        return;
    }
    m_result = result.value ? term(*result.value, "") : Term(Typed{ir::None{}, none()});
}

void BodyLowering::lower(StatementId, const LocalFunction &local)
{
    const Function &function = tree().at(local.function);
    assign(function.name, &function);
}

} // namespace cutaway::formats::torchscript
