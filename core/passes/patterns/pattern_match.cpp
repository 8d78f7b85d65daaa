// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/patterns/pattern_match.h"

#include "core/base/formatted.h"
#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/facts/constant_operand.h"
#include "core/ops/onnx_versions.h"
#include "core/ops/tensor/creation.h"

#include <algorithm>
#include <cassert>
#include <ranges>

// A match goes from the last node to the makers of its operands. Nodes that are not reached this way, such as the maker
// of a second result, are searched among the readers of known values. Each alternative is tried on a copy of the state,
// in the order of the file.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

bool hasValues(const Operand &operand)
{
    bool has = operand.as<ir::TensorId>() != nullptr;
    forEachValue(operand, [&](ValueId) { has = true; });
    return has;
}

/// Whether a type is "float", "float?" or "float[]".
bool isOfFloats(const ops::SchemaType &type)
{
    return type.name == "float" || std::ranges::any_of(type.elements, isOfFloats);
}

/// Whether an operand of the pattern is compared as it is: no wildcard, no capture, and nothing that may contain them.
bool isLiteral(const Operand &wanted)
{
    return !wanted.as<ValueId>() && !wanted.as<ir::List>() && !wanted.as<ir::Dict>() && !captureOf(wanted);
}

/// Returns the operand as the schema understands it: where `type` is a list of fixed length, such as "int[2]", a single
/// number becomes a list that repeats it.
Operand filled(Operand operand, const ops::SchemaType &type)
{
    const bool isMaybe = type.kind == ops::SchemaType::Kind::Optional && !type.elements.empty();
    const ops::SchemaType &list = isMaybe ? type.elements.front() : type;
    const bool isNumber = operand.as<std::int64_t>() || operand.as<double>();
    if (list.kind != ops::SchemaType::Kind::List || !list.listSize || !isNumber)
        return operand;
    return ir::List{.items = std::vector<Operand>(static_cast<std::size_t>(*list.listSize), operand)};
}

std::optional<double> realOf(const Operand &operand)
{
    if (const auto *whole = operand.as<std::int64_t>())
        return static_cast<double>(*whole);
    const auto *real = operand.as<double>();
    return real ? std::optional(*real) : std::nullopt;
}

/// Returns the dtype that an operand stands for; it may be written as the number that the dtype has in ONNX or
/// TorchScript.
std::optional<ir::DType> dtypeOf(const Operand &operand, ir::Numbering numbering)
{
    if (const auto *dtype = operand.as<ir::DType>())
        return *dtype;
    const auto *number = operand.as<std::int64_t>();
    return number ? ir::dtypeFromNumber(*number, numbering) : std::nullopt;
}

/// Returns the names of the nodes' arguments, each once.
std::vector<std::string_view> namesOf(std::initializer_list<NodeRef> nodes)
{
    std::vector<std::string_view> names;
    for (const NodeRef &node : nodes)
        for (const ir::Argument &argument : node->arguments)
            if (const std::string_view name = node.graph().context().text(argument.name);
                !name.empty() && !std::ranges::contains(names, name))
                names.push_back(name);
    return names;
}

bool hasOverload(const NodeRef &wanted, const NodeRef &given)
{
    const auto plain = [](std::string_view overload) { return overload == "default" ? "" : overload; };
    return wanted.overload().empty() || plain(wanted.overload()) == plain(given.overload());
}

bool areDeclared(std::span<const std::string_view> names, std::span<const ops::SchemaArgument> declared)
{
    return std::ranges::all_of(names, [&](std::string_view name) {
        return std::ranges::contains(declared, name, &ops::SchemaArgument::name);
    });
}

bool hasOperator(const NodeRef &wanted, const NodeRef &given)
{
    if (wanted->op == given->op)
        return true;
    const ir::Context &context = given.graph().context();
    const ir::Operator &a = context.at(wanted->op), &b = context.at(given->op);
    return a.dialect == b.dialect && a.name == b.name && hasOverload(wanted, given);
}

} // namespace

Matcher::Matcher(analysis::Reading &reading, const Pattern &pattern, std::function<bool(const NodeRef &)> isFree)
    : m_reading(reading),
      m_pattern(pattern),
      m_isFree(std::move(isFree))
{
    assert(&pattern.before.graph.context() == &reading.graph().context());
    for (const NodeRef node : ir::nodesOf(pattern.before.graph)) {
        m_indices.emplace(node, m_nodes.size());
        m_nodes.push_back(node);
    }
}

bool Matcher::find(const NodeRef &last, const Accept &accept)
{
    m_steps = 0;
    m_region = last->parent;
    if (!hasOperator(m_nodes.back(), last))
        return false;
    State state;
    state.nodes.resize(m_nodes.size());
    return assign(state, m_nodes.size() - 1, last) && extend(std::move(state), accept);
}

// ---- the search

bool Matcher::extend(State state, const Accept &accept)
{
    if (++m_steps > maxSteps)
        return false;
    for (;;) {
        while (!state.goals.empty()) {
            const Goal goal = std::move(state.goals.back());
            state.goals.pop_back();
            if (!meet(state, goal))
                return false;
        }
        if (state.open.empty())
            break;
        const Pairing pairing = state.open.back();
        state.open.pop_back();
        std::vector<std::vector<Goal>> all = ways(pairing);
        for (std::size_t i = 0; i < all.size(); ++i) {
            State tried = state;
            tried.goals = std::move(all[i]);
            if (i + 1 == all.size())
                state = std::move(tried);
            else if (extend(std::move(tried), accept))
                return true;
        }
        if (all.empty())
            return false;
    }
    bool isBound = false;
    for (std::size_t i = 0; i < m_nodes.size() && !isBound; ++i)
        if (!state.nodes[i] && extendAtReaders(state, i, isBound, accept))
            return true;
    return !isBound && complete(std::move(state), accept);
}

/// Searches candidates for the pattern's node at `index` among the readers of one of its known arguments. Sets
/// `isBound` to whether an argument is known.
bool Matcher::extendAtReaders(const State &state, std::size_t index, bool &isBound, const Accept &accept)
{
    std::optional<ValueId> read;
    for (const ir::Argument &argument : m_nodes[index]->arguments)
        forEachValue(argument.value, [&](ValueId wanted) {
            const auto known = state.match.values.find(wanted);
            const auto *value = known == state.match.values.end() ? nullptr : known->second.as<ValueId>();
            if (value && !read)
                read = *value;
        });
    isBound = read.has_value();
    if (!read)
        return false;
    std::vector<ir::NodeId> readers;
    for (const ir::Use &use : m_reading.graph().at(*read).uses)
        if (const auto *node = std::get_if<ir::NodeId>(&use); node && !std::ranges::contains(readers, *node))
            readers.push_back(*node);
    return std::ranges::any_of(readers, [&](ir::NodeId reader) {
        State tried = state;
        return assign(tried, index, m_reading.node(reader)) && extend(std::move(tried), accept);
    });
}

bool Matcher::assign(State &state, std::size_t index, const NodeRef &node)
{
    const NodeRef &wanted = m_nodes[index];
    if (state.nodes[index])
        return *state.nodes[index] == node.id();
    if (!hasOperator(wanted, node) || node->parent != m_region || node.outputCount() < wanted.outputCount()
        || !node->regions.empty() || std::ranges::contains(state.nodes, std::optional(node.id())) || !m_isFree(node))
        return false;
    state.nodes[index] = node;
    for (std::size_t i = 0; i < wanted.outputCount(); ++i)
        state.match.values.emplace(wanted.output(i), node.output(i).id());
    state.open.push_back({index, node});
    return true;
}

bool Matcher::meet(State &state, const Goal &goal)
{
    if (const auto *wanted = goal.wanted.as<ValueId>())
        return meetValue(state, {m_pattern.before.graph, *wanted}, goal.given);
    if (const std::string *name = captureOf(goal.wanted))
        return capture(state, *name, goal.given);
    const auto *wanted = goal.wanted.as<ir::List>();
    const auto *given = goal.given.as<ir::List>();
    if (!wanted || !given)
        return isSame(goal);
    if (wanted->items.size() != given->items.size())
        return false;
    for (std::size_t i = 0; i < wanted->items.size(); ++i)
        state.goals.push_back({wanted->items[i], given->items[i], goal.isOfAnyNumber});
    return true;
}

bool Matcher::meetValue(State &state, ir::ValueRef wanted, const Operand &given)
{
    const auto *made = std::get_if<ir::NodeResult>(&wanted->definition);
    if (!made) {
        if (given.as<ir::None>())
            return false;
        const auto [known, isNew] = state.match.values.emplace(wanted, given);
        return isNew || known->second == given;
    }
    const auto value = ir::valueOf(m_reading.graph(), &given);
    const auto *result = value ? std::get_if<ir::NodeResult>(&(*value)->definition) : nullptr;
    return result && result->index == made->index
        && assign(state, m_indices.at(made->node), m_reading.node(result->node));
}

bool Matcher::capture(State &state, const std::string &name, const Operand &given)
{
    if (hasValues(given))
        return false;
    const auto [known, isNew] = state.match.captures.emplace(name, given);
    return isNew || known->second == given;
}

// ---- arguments

/// Returns the alternative lists of goals by which two nodes are equal: one list, two for an operator whose operands
/// may be exchanged, or none if the nodes cannot be equal.
std::vector<std::vector<Matcher::Goal>> Matcher::ways(const Pairing &pairing)
{
    const NodeRef wanted = m_nodes[pairing.index], given = m_reading.node(pairing.node);
    const ops::Signature *signature = m_reading.signature(given->op);
    auto goals = signature && !signature->schema.moreArguments ? goalsBySchema(wanted, given, *signature)
                                                               : goalsByPlace(wanted, given);
    if (!goals)
        return {};
    std::vector<std::vector<Goal>> all{*goals};
    if (goals->size() >= 2 && mayExchange(given)) {
        std::swap((*goals)[0].given, (*goals)[1].given);
        all.push_back(std::move(*goals));
    }
    return all;
}

/// Compares arguments by the schema. Where one node leaves an argument out, its default has to be equal. An argument
/// that neither node gives, or that both leave at the default, is no goal.
std::optional<std::vector<Matcher::Goal>> Matcher::goalsBySchema(const NodeRef &wanted, const NodeRef &given,
                                                                 const ops::Signature &signature)
{
    const auto &declared = signature.schema.arguments;
    if (wanted.inputCount() > declared.size() || !areDeclared(namesOf({wanted}), declared))
        return std::nullopt;
    std::vector<Goal> goals;
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const Operand *a = ops::givenArgument(wanted, &signature, i);
        const Operand *b = ops::givenArgument(given, &signature, i);
        const auto left = a && b ? std::nullopt : ops::constantOperand(m_reading.context(), signature.defaults[i]);
        if (!a && !b)
            continue;
        if ((!a || !b) && !left)
            return std::nullopt;
        const ops::SchemaType &type = declared[i].type;
        Goal goal{filled(a ? *a : *left, type), filled(b ? *b : *left, type), isOfFloats(type)};
        if (!isLiteral(goal.wanted) || !isSame(goal))
            goals.push_back(std::move(goal));
    }
    return goals;
}

/// Compares arguments of ONNX, and of operators without a schema, by position and name. The two nodes need the same
/// arguments, where None counts as missing. A missing attribute has ONNX's default, if there is one.
std::optional<std::vector<Matcher::Goal>> Matcher::goalsByPlace(const NodeRef &wanted, const NodeRef &given)
{
    const auto orNone = [](const Operand *operand) { return operand ? *operand : Operand(ir::None{}); };
    std::vector<Goal> goals;
    bool isComplete = true; // a default that is not known cannot be captured
    const auto add = [&](const Operand *a, const Operand *b) {
        isComplete = isComplete && (b || !a || !captureOf(*a));
        Goal goal{orNone(a), orNone(b), given.isOnnx()};
        if (!goal.wanted.as<ir::None>() || !goal.given.as<ir::None>())
            goals.push_back(std::move(goal));
    };
    for (std::size_t i = 0; i < std::max(wanted.inputCount(), given.inputCount()); ++i)
        add(wanted.input(i), given.input(i));
    for (const std::string_view attribute : namesOf({wanted, given})) {
        const Operand *a = wanted.argument(attribute), *b = given.argument(attribute);
        const auto left = a && b ? std::nullopt : defaultOf(given, attribute, a ? *a : *b);
        add(a || !left ? a : &*left, b || !left ? b : &*left);
    }
    return isComplete ? std::optional(std::move(goals)) : std::nullopt;
}

/// Returns the default of an attribute of ONNX that a node leaves out; nothing if it has none. `other` is the attribute
/// of the other node: a default for each axis gets as many items as this list.
std::optional<Operand> Matcher::defaultOf(const NodeRef &node, std::string_view attribute, const Operand &other)
{
    const auto known = node.dialect() == "onnx" ? ops::onnxDefault(m_reading.context(), node.opName(), attribute,
                                                                   ir::opsetIn(m_reading.model(), node.graph(), "onnx"))
                                                : std::nullopt;
    if (!known || !known->isOfEachAxis)
        return known ? std::optional(known->value) : std::nullopt;
    const auto *list = other.as<ir::List>();
    return list ? std::optional<Operand>(ir::List{.items = std::vector(list->items.size(), known->value)})
                : std::nullopt;
}

/// Whether the operands may be exchanged. They may not where lists or texts are added, as their order matters, or where
/// one of the two has a factor.
bool Matcher::mayExchange(const NodeRef &node)
{
    const ops::Signature *signature = m_reading.signature(node->op);
    const auto isAlgebraic = [&](std::size_t position) {
        const Operand *operand = ops::givenArgument(node, signature, position);
        const ops::Fact fact = operand ? factOf(*operand) : ops::Fact();
        return ops::asTensor(fact) || fact.as<ops::NumberFact>();
    };
    const auto isDefault = [&](std::size_t position) {
        const Operand *operand = ops::givenArgument(node, signature, position);
        const auto left = ops::constantOperand(m_reading.context(), signature->defaults[position]);
        return !operand || (left && isSame({*left, *operand, true}));
    };
    const ops::Operator *row = m_reading.row(node);
    if (!row || !row->traits.commutes || !isAlgebraic(0) || !isAlgebraic(1))
        return false;
    if (!signature)
        return node->arguments.size() == 2;
    return std::ranges::all_of(std::views::iota(std::size_t{2}, std::max<std::size_t>(2, signature->defaults.size())),
                               isDefault);
}

// ---- constants

bool Matcher::isSame(const Goal &goal)
{
    if (goal.wanted == goal.given)
        return true;
    const auto a = realOf(goal.wanted), b = realOf(goal.given);
    if (goal.isOfAnyNumber && a && b && *a == *b)
        return true;
    if (const auto tensor = a ? tensorOf(goal.given) : std::nullopt)
        return isNumber(goal.wanted, *tensor);
    const bool isDType = goal.wanted.as<ir::DType>() || goal.given.as<ir::DType>();
    const ir::Numbering numbering = m_nodes.back().isOnnx() ? ir::Numbering::Onnx : ir::Numbering::C10;
    const auto dtype = isDType ? dtypeOf(goal.wanted, numbering) : std::nullopt;
    return dtype && dtype == dtypeOf(goal.given, numbering);
}

/// Returns the tensor that an operand is, if the file has its elements and nothing can write to it.
std::optional<ir::TensorId> Matcher::tensorOf(const Operand &operand)
{
    if (const auto tensor = m_reading.constant(operand))
        return tensor;
    const auto maker = ir::valueOf(m_reading.graph(), &operand).and_then(&ir::ValueRef::producer);
    if (!maker || m_reading.kind(*maker) != ops::kind::constant || (*maker)->arguments.size() != 1
        || m_reading.written().contains(*operand.as<ValueId>()))
        return std::nullopt;
    const auto *tensor = (*maker)->arguments.front().value.as<ir::TensorId>();
    return tensor ? std::optional(*tensor) : std::nullopt;
}

/// Whether the tensor is a single number: a tensor without dimensions, or in ONNX one of one element.
bool Matcher::isNumber(const Operand &wanted, ir::TensorId id)
{
    const ir::Tensor &tensor = m_reading.model().at(id);
    const std::size_t maxRank = m_nodes.back().isOnnx() ? 1 : 0;
    if (ir::elementCount(tensor) != 1 || tensor.shape.size() > maxRank || !ir::isNumeric(tensor.dtype))
        return false;
    const auto numbers = ir::numbersOf(m_reading.model(), id);
    if (!numbers)
        return false;
    if (const auto *floats = std::get_if<std::vector<double>>(&*numbers))
        return floats->front() == ir::rounded(tensor.dtype, *realOf(wanted));
    const auto *whole = wanted.as<std::int64_t>();
    return whole && tensor.dtype != ir::DType::Bool && std::get<std::vector<std::int64_t>>(*numbers).front() == *whole;
}

bool Matcher::isConstant(const Operand &operand)
{
    if (!hasValues(operand) || tensorOf(operand))
        return true;
    const auto maker = ir::valueOf(m_reading.graph(), &operand).and_then(&ir::ValueRef::producer);
    return maker && m_reading.kind(*maker) == ops::kind::constant
        && !m_reading.written().contains(*operand.as<ValueId>());
}

ops::Fact Matcher::factOf(const Operand &operand)
{
    const auto *id = operand.as<ir::TensorId>();
    if (!id)
        return m_reading.fact(operand);
    const ir::Tensor &tensor = m_reading.model().at(*id);
    return ops::tensorFact(tensor.dtype, ir::Shape(tensor.shape.begin(), tensor.shape.end()));
}

// ---- what else the pattern asks for

bool Matcher::complete(State state, const Accept &accept)
{
    for (const auto &node : state.nodes)
        state.match.nodes.push_back(*node);
    return hasKind(state) && hasReads(state) && meetTypes(state) && accept(state.match);
}

bool Matcher::hasKind(const State &state)
{
    return std::ranges::all_of(m_pattern.before.inputs, [&](const ir::FunctionInput &input) {
        const auto given = state.match.values.find(*input.value.as<ValueId>());
        return given != state.match.values.end()
            && (input.kind != ir::FunctionInput::Kind::Constant || isConstant(given->second));
    });
}

/// Checks `meta {"reads" = "1"}`: how often each result of a node is read.
bool Matcher::hasReads(const State &state)
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const std::string_view reads = m_nodes[i].metadata("reads");
        for (std::size_t k = 0; k < m_nodes[i].outputCount() && !reads.empty(); ++k)
            if (formatted("{}", m_reading.useCount(m_reading.node(state.match.nodes[i]).output(k))) != reads)
                return false;
    }
    return true;
}

bool Matcher::meetTypes(State &state)
{
    const ir::Graph &before = m_pattern.before.graph;
    for (ValueId id{0}; id.index < before.valueCount(); ++id.index)
        if (const auto given = state.match.values.find(id); before.at(id).type != ir::TypeId{}
            && (given == state.match.values.end() || !meetType(state, ir::ValueRef(before, id).type(), given->second)))
            return false;
    return true;
}

/// Returns false if the operand is certainly of another type than the pattern declares.
bool Matcher::meetType(State &state, const ir::Type &wanted, const Operand &given)
{
    bool &isKnown = state.match.hasKnownTypes;
    const ops::Fact fact = factOf(given);
    if (fact.as<ops::AnyFact>()) {
        isKnown = false;
        return true;
    }
    const auto *type = std::get_if<ir::TensorType>(&wanted);
    if (!type) {
        const auto *number = fact.as<ops::NumberFact>();
        return number && number->kind == std::get<ir::NumberType>(wanted).kind;
    }
    const ops::TensorFact *tensor = ops::asTensor(fact);
    if (!tensor || (type->dtype && tensor->dtype && *type->dtype != *tensor->dtype))
        return false;
    isKnown = isKnown && (!type->dtype || tensor->dtype) && (!type->shape || tensor->shape);
    if (!type->shape || !tensor->shape)
        return true;
    return type->shape->size() == tensor->shape->size()
        && std::ranges::all_of(std::views::iota(std::size_t{0}, type->shape->size()),
                               [&](std::size_t d) { return meetSize(state, (*type->shape)[d], (*tensor->shape)[d]); });
}

bool Matcher::meetSize(State &state, const ir::Dim &wanted, const ir::Dim &given)
{
    if (!ops::isKnown(wanted))
        return true;
    bool &isKnown = state.match.hasKnownTypes;
    if (!ops::isKnown(given)) {
        isKnown = false;
        return true;
    }
    const auto *symbol = std::get_if<symbolic::Expr>(&wanted);
    if (!symbol) {
        isKnown = isKnown && ops::number(given);
        return !ops::isDifferent(wanted, given);
    }
    const auto *whole = std::get_if<std::int64_t>(&given);
    const Operand size = whole ? Operand(*whole) : Operand(std::get<symbolic::Expr>(given));
    const auto [known, isNew] = state.match.captures.emplace(symbol->name(), size);
    if (isNew || known->second == size)
        return true;
    const auto *number = known->second.as<std::int64_t>();
    const auto *expr = known->second.as<symbolic::Expr>();
    if (!number && !expr)
        return false; // the capture of that name stands for an attribute, not for a size
    const ir::Dim other = number ? ir::Dim(*number) : ir::Dim(*expr);
    isKnown = isKnown && ops::isSame(other, given);
    return !ops::isDifferent(other, given);
}

} // namespace cutaway::passes
