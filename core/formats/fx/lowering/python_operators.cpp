// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/fx/lowering/calls.h"
#include "core/formats/python/operators.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::fx {

namespace {

/// An operator of Python: what computes it for tensors, for numbers, and for a number on the left of a tensor.
struct OperatorRow {
    std::string_view symbol;
    std::string_view aten;
    std::string_view ofNumbers;
    std::string_view swapped = {}; ///< the operator with exchanged operands; "=": `aten` also takes the number first
};

constexpr OperatorRow binaryRows[] = {
    {"+", "add", "add", "add"},
    {"-", "sub", "sub", "rsub"},
    {"*", "mul", "mul", "mul"},
    {"/", "div", "div", "reciprocal"},
    {"//", "floor_divide", "floordiv"},
    {"%", "remainder", "remainder", "="},
    {"**", "pow", "pow", "="},
    {"@", "matmul", "matmul"},
    {"&", "__and__", "__and__", "__and__"},
    {"|", "__or__", "__or__", "__or__"},
    {"^", "__xor__", "__xor__", "__xor__"},
    {"<<", "__lshift__", "__lshift__"},
    {">>", "__rshift__", "__rshift__"},
    {"==", "eq", "eq", "eq"},
    {"!=", "ne", "ne", "ne"},
    {"<", "lt", "lt", "gt"},
    {"<=", "le", "le", "ge"},
    {">", "gt", "gt", "lt"},
    {">=", "ge", "ge", "le"},
};

constexpr OperatorRow unaryRows[] = {
    {"-", "neg", "neg"},
    {"+", "positive", "positive"},
    {"~", "bitwise_not", "bitwise_not"},
};

const OperatorRow *rowOf(std::string_view symbol)
{
    const auto *const row = std::ranges::find(binaryRows, symbol, &OperatorRow::symbol);
    return row == std::end(binaryRows) ? nullptr : row;
}

std::string_view binaryFunction(const OperatorRow &row) { return python::operatorFunction(row.symbol, false); }
std::string_view unaryFunction(const OperatorRow &row) { return python::operatorFunction(row.symbol, true); }

template <class T>
const T *constantAs(const Term &term)
{
    const auto *typed = term.as<Typed>();
    return typed ? typed->operand.as<T>() : nullptr;
}

/// Returns the value of a constant integer or float.
std::optional<double> numberOf(const Term &term)
{
    if (const auto integer = integerOf(term))
        return static_cast<double>(*integer);
    const auto *real = constantAs<double>(term);
    return real ? std::optional(*real) : std::nullopt;
}

template <class Number>
std::optional<bool> compared(std::string_view op, Number a, Number b)
{
    if (op == "==")
        return a == b;
    if (op == "!=")
        return a != b;
    if (op == "<")
        return a < b;
    if (op == "<=")
        return a <= b;
    if (op == ">")
        return a > b;
    if (op == ">=")
        return a >= b;
    return std::nullopt;
}

std::optional<std::int64_t> computed(std::string_view op, std::int64_t a, std::int64_t b)
{
    if (op == "+")
        return checkedAdd(a, b);
    if (op == "-")
        return checkedSubtract(a, b);
    if (op == "*")
        return checkedMultiply(a, b);
    if (op == "//" && b > 0)
        return a / b - (a % b < 0 ? 1 : 0);
    return std::nullopt;
}

/// Returns the value of an operator with two constant numbers; nothing if it is not computed here, as for a product of
/// integers that overflows or a division by zero.
std::optional<ir::Operand> ofNumbers(std::string_view op, const Term &left, const Term &right)
{
    if (const auto a = integerOf(left), b = integerOf(right); a && b) {
        if (const auto result = computed(op, *a, *b))
            return *result;
        if (const auto result = compared(op, *a, *b))
            return *result;
        return op == "/" && *b != 0 ? std::optional<ir::Operand>(static_cast<double>(*a) / static_cast<double>(*b))
                                    : std::nullopt;
    }
    const auto x = numberOf(left), y = numberOf(right);
    if (!x || !y)
        return std::nullopt;
    if (const auto result = compared(op, *x, *y))
        return *result;
    if (op == "/" && *y != 0)
        return *x / *y;
    return op == "*" ? std::optional<ir::Operand>(*x * *y) : std::nullopt;
}

/// Returns the items of two lists, or of two tuples, joined; nothing for other terms.
std::optional<std::vector<Term>> joinedItems(const Term &left, const Term &right)
{
    const auto *a = left.as<ItemsTerm>(), *b = right.as<ItemsTerm>();
    if (!a || !b || a->isTuple != b->isTuple)
        return std::nullopt;
    std::vector<Term> all = a->items;
    all.insert(all.end(), b->items.begin(), b->items.end());
    return all;
}

} // namespace

bool Calls::isTrue(const Term &term)
{
    if (const auto *items = term.as<ItemsTerm>())
        return !items->items.empty();
    if (const auto *boolean = constantAs<bool>(term))
        return *boolean;
    if (const auto number = numberOf(term))
        return *number != 0;
    if (const auto text = textOf(m_graph.context(), term))
        return !text->empty();
    if (isNone(term))
        return false;
    throw NotKnown("a condition depends on what is computed");
}

/// Lowers `a is b`; one of them must be None.
Term Calls::identity(const Term &left, const Term &right)
{
    if (!isNone(left) && !isNone(right))
        throw NotKnown("it is compared whether two objects are the same");
    const Term &other = isNone(left) ? right : left;
    const auto *typed = other.as<Typed>();
    const auto *compound = typed ? m_graph.types.compoundAt(typed->type) : nullptr;
    const bool mayBeNone = typed && !isConstant(other)
        && (typed->type == ir::TypeId{} || (compound && compound->kind == ir::CompoundType::Kind::Optional));
    if (mayBeNone)
        throw NotKnown("whether a value is None is not known");
    return constant(isNone(other));
}

std::optional<Term> Calls::folded(std::string_view op, const Term &left, const Term &right)
{
    if (auto all = op == "+" ? joinedItems(left, right) : std::nullopt)
        return items(std::move(*all), left.as<ItemsTerm>()->isTuple);
    const auto *a = left.as<Typed>(), *b = right.as<Typed>();
    if (!a || !b || !isConstant(left) || !isConstant(right))
        return std::nullopt;
    if (const auto result = ofNumbers(op, left, right))
        return constant(*result);
    if (op == "==" || op == "!=")
        return constant((a->operand == b->operand) == (op == "=="));
    return std::nullopt;
}

/// Lowers an operator with a number on the left and a tensor on the right: torch computes `1 - x` by operators that
/// take the tensor first.
Term Calls::numberFirst(std::string_view op, const Term &number, const Term &tensor)
{
    const OperatorRow *row = rowOf(op);
    if (!row || row->swapped.empty())
        throw NotKnown("'" + std::string(op) + "' of a number and a tensor");
    if (row->swapped == "=")
        return atenCall(row->aten, {number, tensor});
    if (op == "/")
        return atenCall("mul", {atenCall(row->swapped, {tensor}), number});
    return atenCall(row->swapped, {tensor, number});
}

Term Calls::binary(std::string_view op, const Term &left, const Term &right)
{
    if (op == "is" || op == "is not") {
        const Term same = identity(left, right);
        return op == "is" ? same : constant(!isTrue(same));
    }
    if (auto known = folded(op, left, right))
        return std::move(*known);
    const OperatorRow *row = rowOf(op);
    if (!row)
        throw NotKnown("'" + sanitized(op) + "' is not known");
    if (isUnknown(left) || isUnknown(right))
        throw NotKnown("what '" + std::string(op) + "' computes depends on a type that is not known");
    if (!isTensor(left) && isTensor(right))
        return numberFirst(op, left, right);
    return atenCall(isTensor(left) ? row->aten : row->ofNumbers, {left, right});
}

Term Calls::unary(std::string_view op, const Term &operand)
{
    if (op == "not")
        return constant(!isTrue(operand));
    if (op == "-" && isConstant(operand)) {
        if (const auto integer = integerOf(operand)) {
            if (const auto negated = checkedSubtract<std::int64_t>(0, *integer))
                return constant(*negated);
            throw NotKnown("an integer has more than 64 bits");
        }
        if (const auto number = numberOf(operand))
            return constant(-*number);
    }
    const auto *const row = std::ranges::find(unaryRows, op, &OperatorRow::symbol);
    if (row == std::end(unaryRows) || isUnknown(operand))
        throw NotKnown("'" + sanitized(op) + "' of what is not known");
    return atenCall(row->aten, {operand});
}

Term Calls::inPlace(std::string_view op, const Term &left, const Term &right)
{
    const OperatorRow *row = rowOf(op);
    if (!row || !isTensor(left))
        return binary(op, left, right);
    const std::string written = op == "//"                       ? "floor_divide_"
        : op.size() == 1 && std::string_view("&|^").contains(op) ? "__i" + std::string(row->aten.substr(2))
                                                                 : std::string(row->aten) + "_";
    if (!m_operators.isDefined("aten", written))
        throw NotKnown("there is no '" + sanitized(op) + "=' of tensors");
    return atenCall(written, {left, right});
}

/// Lowers a call of a function of the module `operator`.
Term Calls::pythonOperator(std::string_view name, const GivenArguments &given)
{
    const auto &operands = given.positional;
    if (given.named.empty() && operands.size() == 2) {
        if (name == "getitem")
            return item(operands[0], operands[1]);
        const auto *const row = std::ranges::find(binaryRows, name, binaryFunction);
        if (row != std::end(binaryRows))
            return binary(row->symbol, operands[0], operands[1]);
        const auto *const inPlaceRow = std::ranges::find_if(
            binaryRows, [&](const OperatorRow &r) { return name == python::inPlaceFunction(r.symbol); });
        if (inPlaceRow != std::end(binaryRows))
            return inPlace(inPlaceRow->symbol, operands[0], operands[1]);
    }
    if (given.named.empty() && operands.size() == 1) {
        const auto *const row = std::ranges::find(unaryRows, name, unaryFunction);
        if (row != std::end(unaryRows))
            return unary(row->symbol, operands[0]);
    }
    throw NotKnown("operator." + sanitized(name) + " is not known");
}

} // namespace cutaway::formats::fx
