// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/formula.h"
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ir/tensors/small_float.h"
#include "core/ops/schemas/overload.h"
#include "core/ops/schemas/schema_table.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>

// Here the nodes of a row's formula are made. The parts of a formula are made where they are first read, so a part that
// only one branch of a choice reads is not made for the other branch.

namespace cutaway::rules::to_aten {

namespace {

using D = Decomposition;
using ops::Expression;

/// Returns the operator of aten for an infix sign; "" for others.
std::string_view functionOf(std::string_view sign)
{
    struct Sign {
        std::string_view sign, function;
    };
    static constexpr std::array signs{Sign{"==", "eq"}, Sign{"!=", "ne"}, Sign{"<", "lt"},
                                      Sign{"<=", "le"}, Sign{">", "gt"},  Sign{">=", "ge"}};
    const auto *found = std::ranges::find(signs, sign, &Sign::sign);
    return found == signs.end() ? std::string_view() : found->function;
}

/// Returns the comparison that holds for (b, a) if `function` holds for (a, b).
std::string_view turnedComparison(std::string_view function)
{
    return function == "lt" ? "gt"
        : function == "gt"  ? "lt"
        : function == "le"  ? "ge"
        : function == "ge"  ? "le"
                            : function;
}

std::optional<std::int64_t> exactInteger(std::string_view sign, std::int64_t a, std::int64_t b)
{
    return sign == "+" ? checkedAdd(a, b) : sign == "-" ? checkedSubtract(a, b) : checkedMultiply(a, b);
}

/// Returns a quotient rounded down, as Python's // does; nothing for a division by 0, or beyond 64 bits.
std::optional<ir::Operand> wholeQuotient(double x, double y)
{
    constexpr double end = 0x1p63;
    const double quotient = std::floor(x / y);
    return quotient >= -end && quotient < end ? std::optional(ir::Operand(static_cast<std::int64_t>(quotient)))
                                              : std::nullopt;
}

/// Returns the number that an infix operator computes from two numbers. Integers give an integer, unless the result is
/// too large for one. Nothing: the result is no number.
std::optional<ir::Operand> computed(std::string_view sign, const ir::Operand &a, const ir::Operand &b, double x,
                                    double y)
{
    const auto *i = a.as<std::int64_t>();
    const auto *j = b.as<std::int64_t>();
    if (sign == "//")
        return wholeQuotient(x, y);
    if (sign == "/")
        return ir::Operand(x / y);
    const double made = sign == "+" ? x + y : sign == "-" ? x - y : x * y;
    const auto whole = i && j ? exactInteger(sign, *i, *j) : std::nullopt;
    return whole ? ir::Operand(*whole) : ir::Operand(made);
}

bool holds(std::string_view sign, double x, double y)
{
    return sign == "==" ? x == y
        : sign == "!="  ? x != y
        : sign == "<"   ? x < y
        : sign == "<="  ? x <= y
        : sign == ">"   ? x > y
                        : x >= y;
}

class AppliedFormula {
public:
    explicit AppliedFormula(D &d) : m_d(d), m_formula(ops::formulaOf(d.row())) { }

    Result<Parts> made()
    {
        CUTAWAY_TRY(const std::vector<Term> terms, results());
        if (terms.size() < m_d.resultCount())
            return refused("the node has another number of results than its formula");
        Parts parts;
        for (std::size_t i = 0; i < m_d.resultCount(); ++i)
            parts.emplace_back(m_d.isTensor(terms[i]) ? cast(terms[i], m_d.declaredDType(i)) : terms[i]);
        return parts;
    }

private:
    static std::unexpected<Error> refused(std::string_view why) { return usageError(std::string(why)); }

    /// Makes the results. A formula that is a single call gives all results of that call.
    Result<std::vector<Term>> results()
    {
        const auto *call = std::get_if<Expression::Call>(&m_formula.results.front().value);
        if (m_formula.results.size() == 1 && m_d.resultCount() > 1 && call)
            return called(*call);
        std::vector<Term> terms;
        for (const Expression &each : m_formula.results) {
            CUTAWAY_TRY(Term made, term(each));
            terms.push_back(std::move(made));
        }
        return terms;
    }

    Result<Term> term(const Expression &expression)
    {
        return std::visit(
            Overloaded{[&](std::int64_t number) -> Result<Term> { return m_d.term(number); },
                       [&](double number) -> Result<Term> { return m_d.term(number); },
                       [&](const Expression::Text &text) -> Result<Term> { return m_d.term(m_d.word(text.text)); },
                       [&](const Expression::Word &word) { return named(word.name); },
                       [&](const Expression::List &list) { return listed(list); },
                       [&](const Expression::Call &call) { return resultOf(call); },
                       [&](const Expression::Operation &operation) { return operated(operation); },
                       [&](const Expression::Choice &choice) { return chosen(choice); }},
            expression.value);
    }

    // ---- words

    static std::optional<ir::Operand> constant(std::string_view name)
    {
        struct Constant {
            std::string_view name;
            double value;
        };
        static constexpr std::array numbers{Constant{"pi", std::numbers::pi},
                                            Constant{"inf", std::numeric_limits<double>::infinity()},
                                            Constant{"nan", std::numeric_limits<double>::quiet_NaN()}};
        if (name == "True" || name == "False")
            return ir::Operand(name == "True");
        if (name == "None")
            return ir::Operand();
        const auto *found = std::ranges::find(numbers, name, &Constant::name);
        return found == numbers.end() ? std::nullopt : std::optional(ir::Operand(found->value));
    }

    /// Returns the argument without a conversion of its dtype.
    Term given(std::string_view name) { return name == "result" ? m_d.term(m_d.node().output(0).id()) : m_d[name]; }

    Result<Term> named(std::string_view name)
    {
        if (const auto known = std::ranges::find(m_terms, name, &Known::name); known != m_terms.end())
            return known->term;
        Term made;
        if (const auto part = std::ranges::find(m_formula.parts, name, &ops::Formula::Part::name);
            part != m_formula.parts.end()) {
            CUTAWAY_TRY(made, term(part->value));
        } else if (const auto fixed = constant(name); fixed && !m_d.call().position({name})) {
            made = m_d.term(*fixed);
        } else {
            made = m_d.widened(given(name), m_formula.steps);
        }
        m_terms.emplace_back(name, made);
        return made;
    }

    Result<Term> listed(const Expression::List &list)
    {
        std::vector<Term> items;
        for (const Expression &item : list.items) {
            CUTAWAY_TRY(Term made, term(item));
            items.push_back(std::move(made));
        }
        return m_d.term(D::list(items));
    }

    // ---- what is known before anything is computed

    std::optional<double> number(const Term &x)
    {
        if (const auto *flag = x.operand.as<bool>())
            return *flag;
        return m_d.isTensor(x) ? std::nullopt : ops::asFloat(m_d.fact(x));
    }

    Result<Term> chosen(const Expression::Choice &choice)
    {
        CUTAWAY_TRY(const bool isTrue, condition(choice.branches[0]));
        if (!isTrue && choice.branches.size() < 3)
            return refused("its formula does not hold for these arguments");
        return term(choice.branches[isTrue ? 1 : 2]);
    }

    Result<bool> condition(const Expression &expression)
    {
        const auto *operation = std::get_if<Expression::Operation>(&expression.value);
        if (operation && operation->sign == "not") {
            CUTAWAY_TRY(const bool inner, condition(operation->operands[0]));
            return !inner;
        }
        if (operation && (operation->sign == "and" || operation->sign == "or")) {
            CUTAWAY_TRY(const bool first, condition(operation->operands[0]));
            return first == (operation->sign == "or") ? first : condition(operation->operands[1]);
        }
        if (operation && operation->sign == "is") { // `x is None`
            const auto *word = std::get_if<Expression::Word>(&operation->operands[0].value);
            return word && given(word->name).isNone();
        }
        if (operation)
            return comparison(*operation);
        CUTAWAY_TRY(const Term made, term(expression));
        if (const auto known = number(made))
            return *known != 0;
        return refused("an argument that decides what it computes is not known");
    }

    Result<bool> comparison(const Expression::Operation &operation)
    {
        CUTAWAY_TRY(const Term a, term(operation.operands[0]));
        CUTAWAY_TRY(const Term b, term(operation.operands[1]));
        const bool isEquality = operation.sign == "==" || operation.sign == "!=";
        const auto x = number(a), y = number(b);
        if (x && y)
            return holds(operation.sign, *x, *y);
        if (isEquality && (isWord(a) || x) && (isWord(b) || y))
            return (a.operand == b.operand) == (operation.sign == "==");
        return refused("an argument that decides what it computes is not known");
    }

    static bool isWord(const Term &x)
    {
        return x.isNone() || x.operand.as<ir::String>() != nullptr || x.operand.as<ir::DType>() != nullptr;
    }

    // ---- infix operators

    Result<Term> operated(const Expression::Operation &operation)
    {
        CUTAWAY_TRY(const Term a, term(operation.operands[0]));
        if (operation.operands.size() == 1)
            return negative(a);
        CUTAWAY_TRY(const Term b, term(operation.operands[1]));
        if (!m_d.isTensor(a) && !m_d.isTensor(b))
            return ofNumbers(operation.sign, a, b);
        if (const std::string_view function = functionOf(operation.sign); !function.empty())
            return m_d.isTensor(a) ? compared(AtenName::computed(function), a, b)
                                   : compared(AtenName::computed(turnedComparison(function)), b, a);
        if (operation.sign == "//")
            return refused("it rounds a quotient of tensors by an operator for numbers");
        return m_d.isTensor(a) ? ofTensor(operation.sign, a, b) : ofNumberAndTensor(operation.sign, a, b);
    }

    Result<Term> negative(const Term &x)
    {
        if (m_d.isTensor(x))
            return -x;
        return ofNumbers("-", m_d.term(std::int64_t{0}), x);
    }

    Result<Term> ofNumbers(std::string_view sign, const Term &a, const Term &b)
    {
        const auto x = number(a), y = number(b);
        if (!x || !y)
            return refused("a number that it computes with is not known");
        if (!functionOf(sign).empty())
            return m_d.term(ir::Operand(holds(sign, *x, *y)));
        if (const auto made = computed(sign, a, b, *x, *y))
            return m_d.term(*made);
        return refused("a number that it computes with is divided by 0, or too large");
    }

    /// Whether multiplying the tensor by this number, or dividing it by it, leaves the tensor unchanged.
    bool isNeutral(const Term &x, const Term &factor, bool isQuotient)
    {
        const auto dtype = dtypeIn(m_d.fact(x));
        return number(factor) == 1 && dtype
            && (ir::isFloating(*dtype) || (!isQuotient && factor.operand.as<std::int64_t>()));
    }

    Term ofTensor(std::string_view sign, const Term &a, const Term &b)
    {
        if (sign == "+")
            return a + b;
        if (sign == "-")
            return a - b;
        if (isNeutral(a, b, sign == "/"))
            return a;
        return sign == "*" ? a * b : a / b;
    }

    Term ofNumberAndTensor(std::string_view sign, const Term &a, const Term &b)
    {
        if (sign == "+" || sign == "*")
            return ofTensor(sign, b, a);
        if (sign == "-")
            return m_d.make("rsub.Scalar", {b, a});
        return ofTensor("*", applied("reciprocal", b), a);
    }

    // ---- calls

    Result<Term> resultOf(const Expression::Call &call)
    {
        if (asksWhatIsKnown(call)) {
            const auto answer = answerTo(call);
            return answer ? Result<Term>(m_d.term(*answer)) : refused("the type of an argument is not known");
        }
        if (call.function == "refused")
            return refused(std::get<Expression::Text>(call.arguments.front().value.value).text);
        if (call.function == "cast" || call.function == "reduced") {
            CUTAWAY_TRY(const std::vector<D::With> arguments, argumentsOf(call));
            return call.function == "cast" ? converted(arguments) : reduced(m_d.term(arguments.front().value));
        }
        CUTAWAY_TRY(const std::vector<Term> results, called(call));
        return results[call.result];
    }

    /// Returns the arguments of a call. A named argument that is None is left out, so that it has its default.
    Result<std::vector<D::With>> argumentsOf(const Expression::Call &call)
    {
        std::vector<D::With> arguments;
        for (const Expression::Argument &each : call.arguments) {
            CUTAWAY_TRY(const Term made, term(each.value));
            if (each.parameter.empty() || !made.isNone())
                arguments.emplace_back(each.parameter, made.operand);
        }
        return arguments;
    }

    /// Whether the called function returns a known fact about an argument, and makes no node.
    static bool asksWhatIsKnown(const Expression::Call &call)
    {
        static constexpr std::array<std::string_view, 9> functions{
            "isTensor", "isFloating", "isComplex", "isSameShape", "dtype", "rank", "size", "shape", "largest"};
        return std::ranges::contains(functions, call.function) && !call.arguments.empty()
            && std::holds_alternative<Expression::Word>(call.arguments.front().value.value);
    }

    /// Returns the answer of a call that asks about facts; nothing if it is not known.
    std::optional<ir::Operand> answerTo(const Expression::Call &call)
    {
        const auto is = [&](std::string_view name) { return call.function == name; };
        const Term argument = given(std::get<Expression::Word>(call.arguments.front().value.value).name);
        if (is("isTensor"))
            return ir::Operand(m_d.isTensor(argument));
        const auto dtype = dtypeIn(m_d.fact(argument));
        const auto known = m_d.knownTensor(argument);
        if (dtype && is("dtype"))
            return ir::Operand(*dtype);
        if (dtype && is("isFloating"))
            return ir::Operand(ir::isFloating(*dtype));
        if (dtype && is("isComplex"))
            return ir::Operand(ir::isComplex(*dtype));
        if (const auto limits = dtype && is("largest") ? ir::floatLimits(*dtype) : std::nullopt)
            return ir::Operand(limits->largest);
        if (known && is("isSameShape"))
            return isSameShape(*known, call.arguments[1].value);
        if (known && is("rank"))
            return ir::Operand(static_cast<std::int64_t>(known->rank()));
        if (known && is("shape"))
            return m_d.sizes(known->shape);
        return known && is("size") ? sizeOf(*known, call.arguments[1].value) : std::nullopt;
    }

    std::optional<ir::Operand> isSameShape(const D::Tensor &a, const Expression &other)
    {
        const auto *word = std::get_if<Expression::Word>(&other.value);
        const auto b = word ? m_d.knownTensor(given(word->name)) : std::nullopt;
        return b ? std::optional(ir::Operand(std::ranges::equal(a.shape, b->shape, ops::isSame))) : std::nullopt;
    }

    std::optional<ir::Operand> sizeOf(const D::Tensor &tensor, const Expression &of)
    {
        const auto made = term(of);
        const auto given = made && !m_d.isTensor(*made) ? ops::asInt(m_d.fact(*made)) : std::nullopt;
        const auto index = given ? ops::number(*given) : std::nullopt;
        const auto dim = index ? ops::dimension(*index, tensor.rank()) : std::nullopt;
        return dim ? std::optional(m_d.size(tensor.shape[*dim])) : std::nullopt;
    }

    Result<Term> converted(const std::vector<D::With> &arguments)
    {
        const Term x = m_d.term(arguments[0].value);
        const auto *dtype = arguments[1].value.as<ir::DType>();
        if (!dtype)
            return refused("a dtype is not known");
        return m_d.isTensor(x) ? cast(x, *dtype) : m_d.scalar(x, *dtype);
    }

    Result<Term> reduced(const Term &losses)
    {
        const auto reduction = m_d.call().integer("reduction");
        if (!reduction)
            return refused("its reduction is not known");
        return *reduction == 0 ? losses : *reduction == 1 ? applied("mean", losses) : applied("sum", losses);
    }

    ops::SchemaType typeOf(const ir::Operand &operand)
    {
        using ops::SchemaType;
        if (operand.as<ir::None>())
            return SchemaType::plain("NoneType");
        if (operand.as<bool>())
            return SchemaType::plain("bool");
        if (operand.as<double>())
            return SchemaType::plain("float");
        if (operand.as<ir::String>())
            return SchemaType::plain("str");
        if (const auto *list = operand.as<ir::List>())
            return list->items.empty() ? SchemaType{SchemaType::Kind::EmptyList, {}, {}, {}, {}}
                                       : SchemaType{SchemaType::Kind::List, {}, {typeOf(list->items.front())}, {}, {}};
        if (m_d.isTensor(operand))
            return SchemaType::plain("Tensor");
        const ops::Fact known = m_d.fact(operand);
        const auto *number = known.as<ops::NumberFact>();
        if (known.as<ops::SequenceFact>())
            return {SchemaType::Kind::List, {}, {SchemaType::plain("int")}, {}, {}};
        // The other operands are dtypes and the like, which are integers in schemas.
        return !number                                    ? SchemaType::plain("int")
            : number->kind == ir::NumberType::Kind::Float ? SchemaType::plain("float")
            : number->kind == ir::NumberType::Kind::Bool  ? SchemaType::plain("bool")
                                                          : SchemaType::plain("int");
    }

    std::optional<ops::OverloadMatch> matchOf(std::span<const ops::Schema> schemas, std::span<const D::With> arguments)
    {
        ops::CallTypes types;
        for (const D::With &each : arguments)
            if (each.name.empty())
                types.positional.push_back(typeOf(each.value));
            else
                types.named.push_back({each.name, typeOf(each.value)});
        return ops::matchOverload(schemas, types);
    }

    Result<std::vector<Term>> called(const Expression::Call &call)
    {
        CUTAWAY_TRY(std::vector<D::With> arguments, argumentsOf(call));
        return call.function.contains('.') ? made(call.function, arguments, 1) : matched(call, std::move(arguments));
    }

    /// Makes a call of the operator with this full name. Refuses the node's own operator, which the formula would only
    /// repeat.
    Result<std::vector<Term>> made(std::string_view target, std::span<const D::With> arguments, std::size_t results)
    {
        const ir::NodeRef &node = m_d.node();
        if (target == targetOf(node.opName(), node.overload()))
            return refused("its formula is of the same operator");
        return m_d.makeAll(AtenName::computed(target), arguments, results);
    }

    static std::string targetOf(std::string_view name, std::string_view overload)
    {
        return overload.empty() ? std::string(name) : formatted("{}.{}", name, overload);
    }

    /// Makes a call of the overload that fits the arguments. If none does, numbers become tensors with the dtype of the
    /// first tensor.
    Result<std::vector<Term>> matched(const Expression::Call &call, std::vector<D::With> arguments)
    {
        const std::vector<ops::Schema> schemas = ops::schemasOf("aten", call.function);
        auto match = matchOf(schemas, arguments);
        const auto first =
            std::ranges::find_if(arguments, [&](const D::With &each) { return m_d.isTensor(each.value); });
        if (!match && first != arguments.end()) {
            const ir::DType dtype = m_d.dtype(m_d.term(first->value));
            for (D::With &each : arguments)
                if (number(m_d.term(each.value)))
                    each.value = m_d.scalar(each.value, dtype).operand;
            match = matchOf(schemas, arguments);
        }
        if (!match)
            return refused(formatted("{} does not take these arguments", call.function));
        const ops::Schema &schema = schemas[match->candidate];
        std::vector<D::With> named;
        for (std::size_t i = 0; i < match->sources.size(); ++i)
            if (auto value = valueOf(match->sources[i], arguments))
                named.emplace_back(schema.arguments[i].name, fitted(std::move(*value), schema.arguments[i].type));
        return made(targetOf(schema.name, schema.overload), named, std::max<std::size_t>(match->returns.size(), 1));
    }

    static std::optional<ir::Operand> valueOf(const ops::ArgumentSource &source, std::span<const D::With> arguments)
    {
        const auto *positional = std::get_if<ops::PositionalGiven>(&source);
        const auto *named = std::get_if<ops::NamedGiven>(&source);
        if (!positional && !named)
            return std::nullopt;
        auto alike = arguments
            | std::views::filter([&](const D::With &each) { return each.name.empty() == (positional != nullptr); })
            | std::views::drop(positional ? positional->index : named->index);
        return (*alike.begin()).value;
    }

    /// Returns an integer as a list of one item if the parameter is a list; other values unchanged.
    static ir::Operand fitted(ir::Operand value, const ops::SchemaType &type)
    {
        const ops::SchemaType &plain = type.kind == ops::SchemaType::Kind::Optional ? type.elements.front() : type;
        const bool isOne = value.as<std::int64_t>() != nullptr;
        return isOne && plain.kind == ops::SchemaType::Kind::List ? ir::Operand(ir::List{{std::move(value)}}) : value;
    }

    struct Known {
        std::string_view name;
        Term term;
    };

    D &m_d;
    const ops::Formula &m_formula;
    std::vector<Known> m_terms; ///< the terms of words that were read already
};

} // namespace

Parts madeByFormula(D &d)
{
    auto made = AppliedFormula(d).made();
    if (!made)
        d.refuse(std::move(made.error().message));
    return std::move(made).value_or(Parts());
}

} // namespace cutaway::rules::to_aten
