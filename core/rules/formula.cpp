// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/formula.h"
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ops/schemas/overload.h"
#include "core/ops/schemas/schema_table.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>

// Makes the nodes of a row's formula. Its parts are made where they are first read, so a part that only one branch of a
// choice reads is not made for the other.

namespace cutaway::rules::to_aten {

namespace {

using D = Decomposition;
using ops::Expression;

/// The operator of aten behind an infix sign; "" for others.
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

/// The comparison that holds for (b, a) where `function` holds for (a, b).
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

/// The whole part of a quotient; nothing where no integer is it: of a division by 0, or beyond 64 bits.
std::optional<ir::Operand> wholeQuotient(double x, double y)
{
    constexpr double end = 0x1p63;
    const double quotient = std::floor(x / y);
    return quotient >= -end && quotient < end ? std::optional(ir::Operand(static_cast<std::int64_t>(quotient)))
                                              : std::nullopt;
}

/// Whole numbers stay whole unless the result is too large for them. Nothing: no number is the result.
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
    explicit AppliedFormula(D &d) : m_d(d), m_formula(ops::formulaOf(d.row())), m_isWidened(d.widens(m_formula.steps))
    {
    }

    Result<Parts> made()
    {
        if (m_formula.results.size() != m_d.resultCount())
            return refused("the node has another number of results than its formula");
        Parts results;
        for (std::size_t i = 0; i < m_formula.results.size(); ++i) {
            CUTAWAY_TRY(const Term result, term(m_formula.results[i]));
            results.emplace_back(m_d.isTensor(result) ? cast(result, m_d.result(i).dtype) : result);
        }
        return results;
    }

private:
    static std::unexpected<Error> refused(std::string_view why) { return usageError(std::string(why)); }

    Result<Term> term(const Expression &expression)
    {
        return std::visit(
            Overloaded{[&](std::int64_t number) -> Result<Term> { return m_d.term(number); },
                       [&](double number) -> Result<Term> { return m_d.term(number); },
                       [&](const Expression::Text &text) -> Result<Term> { return m_d.term(m_d.word(text.text)); },
                       [&](const Expression::Word &word) { return named(word.name); },
                       [&](const Expression::List &list) { return listed(list); },
                       [&](const Expression::Call &call) { return called(call); },
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

    /// The argument as it is given, whatever it is computed in.
    Term given(std::string_view name) { return name == "result" ? m_d.term(m_d.node().output(0).id()) : m_d[name]; }

    Result<Term> named(std::string_view name)
    {
        if (const auto known = std::ranges::find(m_terms, name, &Known::name); known != m_terms.end())
            return known->term;
        Term made;
        if (const auto part = std::ranges::find(m_formula.parts, name, &ops::Formula::Part::name);
            part != m_formula.parts.end()) {
            CUTAWAY_TRY(made, term(part->value));
        } else if (const auto fixed = constant(name)) {
            made = m_d.term(*fixed);
        } else {
            made = given(name);
            made = m_isWidened && m_d.isTensor(made) ? widened(made) : made;
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
        if (operation && operation->sign == "is") { // None
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
        if (isEquality && isWord(a) && isWord(b))
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

    /// Whether multiplying with this number, or dividing by it, leaves the tensor as it is.
    bool isNeutral(const Term &x, const Term &factor, bool isQuotient)
    {
        const auto known = m_d.knownTensor(x);
        return number(factor) == 1 && known
            && (ir::isFloating(known->dtype) || (!isQuotient && factor.operand.as<std::int64_t>()));
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

    Result<Term> called(const Expression::Call &call)
    {
        if (asksWhatIsKnown(call)) {
            const auto answer = answerTo(call);
            return answer ? Result<Term>(m_d.term(*answer)) : refused("the type of an argument is not known");
        }
        std::vector<D::With> arguments;
        for (const Expression::Argument &each : call.arguments) {
            CUTAWAY_TRY(const Term made, term(each.value));
            arguments.emplace_back(each.parameter, made.operand);
        }
        if (call.function == "cast")
            return converted(arguments);
        if (call.function == "reduced")
            return reduced(m_d.term(arguments.front().value));
        return call.function.contains('.') ? Result<Term>(m_d.make(AtenName::computed(call.function), arguments))
                                           : matched(call, std::move(arguments));
    }

    /// Whether a function asks what is known of an argument, and makes nothing.
    static bool asksWhatIsKnown(const Expression::Call &call)
    {
        static constexpr std::array<std::string_view, 8> functions{"isTensor", "isFloating", "isComplex", "isSameShape",
                                                                   "dtype",    "rank",       "size",      "shape"};
        return std::ranges::contains(functions, call.function) && !call.arguments.empty()
            && std::holds_alternative<Expression::Word>(call.arguments.front().value.value);
    }

    /// The answer to a call that asks what is known; nothing where it is not known.
    std::optional<ir::Operand> answerTo(const Expression::Call &call)
    {
        const auto is = [&](std::string_view name) { return call.function == name; };
        const Term argument = given(std::get<Expression::Word>(call.arguments.front().value.value).name);
        if (is("isTensor"))
            return ir::Operand(m_d.isTensor(argument));
        const auto known = m_d.knownTensor(argument);
        if (!known)
            return std::nullopt;
        if (is("isSameShape"))
            return isSameShape(*known, call.arguments[1].value);
        if (is("dtype"))
            return ir::Operand(known->dtype);
        if (is("rank"))
            return ir::Operand(static_cast<std::int64_t>(known->rank()));
        if (is("shape"))
            return m_d.sizes(known->shape);
        if (is("size"))
            return sizeOf(*known, call.arguments[1].value);
        return ir::Operand(is("isFloating") ? ir::isFloating(known->dtype) : ir::isComplex(known->dtype));
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
        return !number                                    ? SchemaType::plain("int") // dtypes and their kind
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

    /// A call of the overload that fits the arguments; if none does, numbers become tensors like the first one.
    Result<Term> matched(const Expression::Call &call, std::vector<D::With> arguments)
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
        const std::string target =
            schema.overload.empty() ? std::string(schema.name) : formatted("{}.{}", schema.name, schema.overload);
        return m_d.makeAll(AtenName::computed(target), named,
                           std::max<std::size_t>(match->returns.size(), 1))[call.result];
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

    /// One number for a list is a list of it.
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
    bool m_isWidened;
    std::vector<Known> m_terms; ///< terms for the words that were read already
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
