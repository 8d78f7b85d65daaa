// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/given.h"

#include "core/analysis/assumed_inputs.h"
#include "core/base/checked.h"
#include "core/ir/context.h"
#include "core/ops/dim_arithmetic.h"
#include "core/ops/fact.h"
#include "core/ops/promotion.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace cutaway::report {

namespace {

using symbolic::Bindings;
using symbolic::Expr;

std::unexpected<Error> usage(std::string message)
{
    return std::unexpected(Error{ErrorKind::Usage, std::move(message), {}});
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

// ---------------------------------------------------------------- symbols

std::string symbolNames(const ir::Model &model)
{
    constexpr std::size_t shown = 12;
    if (model.symbols.empty())
        return "the model has no symbols";
    std::string names = "the model has ";
    for (std::size_t i = 0; i < model.symbols.size() && i < shown; ++i)
        names += (i ? ", " : "") + model.symbols[i].name;
    return model.symbols.size() > shown ? names + ", …" : names;
}

std::string rangeText(const ir::Symbol &symbol)
{
    const auto text = [](const std::optional<std::int64_t> &n) { return n ? std::to_string(*n) : std::string("…"); };
    return text(symbol.min) + " to " + text(symbol.max);
}

/// Symbols without an entry in the model have no range; one without a range is a size.
Result<void> bind(const ir::Model &model, Bindings &bindings, const std::string &name, std::int64_t value)
{
    const auto symbol = std::ranges::find(model.symbols, name, &ir::Symbol::name);
    if (symbol != model.symbols.end()
        && ((symbol->min && value < *symbol->min) || (symbol->max && value > *symbol->max)))
        return usage("symbol '" + name + "' cannot be " + std::to_string(value) + ": its range is "
                     + rangeText(*symbol));
    if (value < 0 && (symbol == model.symbols.end() || (!symbol->min && !symbol->max)))
        return usage("symbol '" + name + "' cannot be " + std::to_string(value) + ": sizes are not negative");
    const auto [place, isNew] = bindings.emplace(name, value);
    if (!isNew && place->second != value)
        return usage("symbol '" + name + "' is given as " + std::to_string(place->second) + " and as "
                     + std::to_string(value));
    return {};
}

Result<void> checkSymbol(const ir::Model &model, const std::string &name)
{
    if (std::ranges::find(model.symbols, name, &ir::Symbol::name) == model.symbols.end())
        return usage("there is no symbol '" + name + "'; " + symbolNames(model));
    return {};
}

Result<void> parseBinding(const ir::Model &model, Bindings &bindings, std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    const auto value = equals == text.npos ? std::nullopt : parseInteger(text.substr(equals + 1));
    if (!value)
        return usage("'" + std::string(text) + "' is no binding; wanted SYMBOL=NUMBER, as s0=8");
    const std::string name(text.substr(0, equals));
    const Result<void> isThere = checkSymbol(model, name);
    return isThere ? bind(model, bindings, name, *value) : isThere;
}

// ---------------------------------------------------------------- sweeps

/// The values of "1:256", "1:256:8" or "1:256:*2"; nothing for what is no such range or never ends.
std::optional<std::vector<std::int64_t>> valuesOf(std::string_view range)
{
    const auto parts = split(range, ':');
    if (parts.size() < 2 || parts.size() > 3)
        return std::nullopt;
    const bool multiplies = parts.size() == 3 && parts[2].starts_with('*');
    const auto first = parseInteger(parts[0]), last = parseInteger(parts[1]);
    const auto step = parts.size() == 2 ? std::optional<std::int64_t>(1) : parseInteger(parts[2].substr(multiplies));
    if (!first || !last || !step || *first < 0 || *first > *last || *step < 1
        || (multiplies && (*step == 1 || *first == 0)))
        return std::nullopt;
    std::vector<std::int64_t> values;
    // One more than allowed is enough to tell that there are too many.
    for (auto next = first; next && *next <= *last && values.size() <= mostSweepPoints;) {
        values.push_back(*next);
        next = multiplies ? checkedMultiply(*next, *step) : checkedAdd(*next, *step);
    }
    return values;
}

// ---------------------------------------------------------------- inputs

/// What one text gives: an input by name, a part of it ("0", "key"; "" for all of it), and the value.
struct Given {
    std::string name;
    ir::ValueId value;
    std::vector<std::string> path;
    std::string_view content;
};

/// What must hold between the declared size and the one given.
struct Equation {
    Expr declared;
    std::int64_t given;
    std::string place; ///< "input 'x', dimension 2"
};

/// A list, tuple or dict that is given part by part.
struct Parts {
    std::optional<ops::Fact> fact;
    std::map<std::string, Parts> parts;
};

std::optional<ir::ValueId> userInput(const ir::Model &model, const ir::Function &function, std::string_view name)
{
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (input.kind == ir::FunctionInput::Kind::User && value
            && (model.context->text(input.name) == name || model.context->text(function.graph.at(*value).name) == name))
            return *value;
    }
    return std::nullopt;
}

std::string inputNames(const ir::Model &model, const ir::Function &function)
{
    std::string names;
    for (const ir::FunctionInput &input : function.inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            names += (names.empty() ? "" : ", ") + std::string(model.context->text(input.name));
    return names.empty() ? "the function has no inputs" : "the function has " + names;
}

std::optional<Given> partOf(const ir::Model &model, const ir::Function &function, std::string_view name,
                            std::string_view content)
{
    for (std::size_t dot = name.rfind('.'); dot != name.npos && dot > 0; dot = name.rfind('.', dot - 1))
        if (const auto value = userInput(model, function, name.substr(0, dot))) {
            Given given{std::string(name.substr(0, dot)), *value, {}, content};
            for (const std::string_view part : split(name.substr(dot + 1), '.'))
                given.path.emplace_back(part);
            return given;
        }
    return std::nullopt;
}

/// Names may have '=' and '.' in them: every '=' is tried, and a whole name goes before a part of one.
Result<Given> findInput(const ir::Model &model, const ir::Function &function, std::string_view text)
{
    for (std::size_t equals = text.find('='); equals != text.npos; equals = text.find('=', equals + 1))
        if (const auto value = userInput(model, function, text.substr(0, equals)))
            return Given{std::string(text.substr(0, equals)), *value, {}, text.substr(equals + 1)};
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        return usage("'" + std::string(text) + "' is no input; wanted NAME=SHAPE:DTYPE, as x=1x3x224x224:float32");
    if (auto part = partOf(model, function, text.substr(0, equals), text.substr(equals + 1)))
        return std::move(*part);
    return usage("there is no input '" + std::string(text.substr(0, equals)) + "'; " + inputNames(model, function));
}

Result<ir::Shape> parseShape(std::string_view text, const std::string &name)
{
    ir::Shape shape;
    if (text.empty())
        return shape;
    for (const std::string_view part : split(text, 'x')) {
        const auto size = parseInteger(part);
        if (!size || *size < 0)
            return usage("input '" + name + "': '" + std::string(text) + "' is no shape; wanted sizes as 1x3x224x224");
        shape.emplace_back(*size);
    }
    return shape;
}

Result<ops::TensorFact> parseTensor(const Given &given)
{
    const std::size_t colon = given.content.rfind(':');
    const std::string_view dtypeName = given.content.substr(colon + 1);
    const std::optional<ir::DType> dtype = ir::dtypeFromName(dtypeName);
    if (!dtype)
        return usage("input '" + given.name + "': there is no dtype '" + std::string(dtypeName)
                     + "'; wanted a name such as float32 or int64");
    Result<ir::Shape> shape = parseShape(given.content.substr(0, colon), given.name);
    if (!shape)
        return std::unexpected(shape.error());
    return ops::tensorFact(dtype, std::move(*shape));
}

/// Another precision may be tried; another kind of element is another model.
bool isOfOneKind(ir::DType a, ir::DType b)
{
    const auto isSame = [&](auto is) { return is(a) && is(b); };
    return a == b || isSame(ops::isFloating) || isSame(ops::isInteger) || isSame(ops::isComplex);
}

/// A number, a boolean, a text or nothing, as JSON writes them.
std::optional<ops::Fact> parseValue(std::string_view text)
{
    if (text == "null")
        return ops::NoneFact{};
    if (text == "true" || text == "false")
        return ops::boolFact(text == "true");
    if (text == "[]")
        return ops::listFact({});
    if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
        return ops::TextFact{std::string(text.substr(1, text.size() - 2))};
    if (const auto n = parseInteger(text))
        return ops::intFact(*n);
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error == std::errc() && end == text.data() + text.size())
        return ops::floatFact(x);
    return std::nullopt;
}

/// Takes what is given, and what must hold so that it fits.
class Giving {
public:
    Giving(ir::Model &model, ir::Function &function) : m_model(model), m_function(function) { }

    Result<void> give(std::string_view text)
    {
        const Result<Given> given = findInput(m_model, m_function, text);
        if (!given)
            return std::unexpected(given.error());
        const ir::Type declared = m_model.context->at(m_function.graph.at(given->value).type);
        if (!given->path.empty() && std::holds_alternative<ir::TensorType>(declared))
            return usage("input '" + given->name + "' is a tensor, which has no part '" + given->path.front() + "'");
        const bool isTensor = given->content.contains(':') && !given->content.starts_with('"');
        Result<ops::Fact> fact =
            isTensor ? giveTensor(*given, std::get_if<ir::TensorType>(&declared)) : giveValue(*given, declared);
        if (!fact)
            return std::unexpected(fact.error());
        Parts *place = &m_given[given->value];
        for (const std::string &part : given->path)
            place = &place->parts[part];
        place->fact = std::move(*fact);
        return {};
    }

    const std::vector<Equation> &equations() const { return m_equations; }

    std::map<std::string, ops::Fact, std::less<>> facts() const
    {
        std::map<std::string, ops::Fact, std::less<>> facts;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                if (const auto given = m_given.find(*value); given != m_given.end())
                    facts.emplace(m_model.context->text(input.name),
                                  assembled(given->second, m_function.graph.at(*value).type));
        return facts;
    }

private:
    Result<ops::Fact> giveTensor(const Given &given, const ir::TensorType *declared)
    {
        Result<ops::TensorFact> fact = parseTensor(given);
        if (!fact)
            return std::unexpected(fact.error());
        if (!declared)
            return std::move(*fact);
        if (declared->dtype && !isOfOneKind(*declared->dtype, *fact->dtype))
            return usage("input '" + given.name + "' is " + std::string(ir::name(*declared->dtype)) + ", not "
                         + std::string(ir::name(*fact->dtype)));
        if (declared->shape && declared->shape->size() != fact->shape->size())
            return usage("input '" + given.name + "' has " + std::to_string(declared->shape->size())
                         + " dimensions, not " + std::to_string(fact->shape->size()));
        for (std::size_t i = 0; declared->shape && i < declared->shape->size(); ++i)
            demand((*declared->shape)[i], std::get<std::int64_t>((*fact->shape)[i]),
                   "input '" + given.name + "', dimension " + std::to_string(i));
        ir::TensorType type;
        type.dtype = fact->dtype;
        type.shape = fact->shape;
        m_function.graph.setType(given.value, m_model.context->type(type));
        return std::move(*fact);
    }

    Result<ops::Fact> giveValue(const Given &given, const ir::Type &declared)
    {
        if (given.path.empty() && std::holds_alternative<ir::TensorType>(declared))
            return usage("input '" + given.name + "' is a tensor; wanted SHAPE:DTYPE, as 1x3x224x224:float32");
        auto value = parseValue(given.content);
        const auto *number = std::get_if<ir::NumberType>(&declared);
        const bool isWhole =
            value && value->as<ops::NumberFact>() && value->as<ops::NumberFact>()->kind == ops::NumberFact::Kind::Int;
        if (!value || (number && number->kind == ir::NumberType::Kind::Int && given.path.empty() && !isWhole))
            return usage("input '" + given.name + "' cannot be '" + std::string(given.content) + "'; wanted "
                         + (number ? "a number" : "a number, true, false, null, a \"text\" or SHAPE:DTYPE"));
        if (const auto n = ops::asInt(*value); n && number && number->value && given.path.empty())
            demand(ir::Dim(*number->value), ops::number(*n).value_or(0), "input '" + given.name + "'");
        return std::move(*value);
    }

    /// The parts in their order, as what the input is declared to be.
    ops::Fact assembled(const Parts &parts, ir::TypeId type) const
    {
        if (parts.parts.empty())
            return parts.fact.value_or(ops::Fact());
        const auto *declared = std::get_if<ir::CompoundType>(&m_model.context->at(type));
        using Kind = ir::CompoundType::Kind;
        if (declared && declared->kind == Kind::Optional)
            return assembled(parts, declared->elements[0]);
        std::vector<std::pair<std::int64_t, ops::Fact>> items;
        for (const auto &[name, part] : parts.parts)
            items.emplace_back(parseInteger(name).value_or(0), assembled(part, {}));
        if (declared && declared->kind == Kind::Dict) {
            const bool byNumber = std::holds_alternative<ir::NumberType>(m_model.context->at(declared->elements[0]));
            std::vector<ops::Fact> entries;
            for (const auto &[name, part] : parts.parts) {
                const auto number = byNumber ? parseInteger(name) : std::nullopt;
                entries.push_back(number ? ops::Fact(ops::intFact(*number)) : ops::Fact(ops::TextFact{name}));
                entries.push_back(assembled(part, {}));
            }
            return ops::dictFact(std::move(entries));
        }
        std::ranges::stable_sort(items, {}, &std::pair<std::int64_t, ops::Fact>::first);
        std::vector<ops::Fact> facts;
        for (auto &[index, item] : items)
            facts.push_back(std::move(item));
        return declared && declared->kind == Kind::Tuple ? ops::tupleFact(std::move(facts))
                                                         : ops::listFact(std::move(facts));
    }

    void demand(const ir::Dim &declared, std::int64_t given, std::string place)
    {
        if (const auto *size = std::get_if<std::int64_t>(&declared))
            m_equations.push_back({Expr::integer(*size), given, std::move(place)});
        else if (const auto *expr = std::get_if<Expr>(&declared))
            m_equations.push_back({*expr, given, std::move(place)});
    }

    ir::Model &m_model;
    ir::Function &m_function;
    std::vector<Equation> m_equations;
    std::map<ir::ValueId, Parts> m_given;
};

// ---------------------------------------------------------------- solving

std::optional<std::int64_t> valueAt(const Expr &expr, const std::string &symbol, std::int64_t at)
{
    const Result<Expr> value = symbolic::substitute(expr, {{symbol, at}});
    return value && value->kind() == symbolic::Kind::Integer ? std::optional(value->integerValue()) : std::nullopt;
}

/// The one integer at which an expression of one symbol is `wanted`, if the expression is linear there.
std::optional<std::int64_t> solve(const Expr &expr, const std::string &symbol, std::int64_t wanted)
{
    const auto zero = valueAt(expr, symbol, 0);
    const auto one = valueAt(expr, symbol, 1);
    const auto slope = zero && one ? checkedSubtract(*one, *zero) : std::nullopt;
    const auto rest = zero ? checkedSubtract(wanted, *zero) : std::nullopt;
    if (!slope || !rest || *slope == 0)
        return std::nullopt;
    // −1 apart: the smallest integer divided by it does not fit.
    const auto found = *slope == -1 ? checkedSubtract<std::int64_t>(0, *rest) : std::optional(*rest / *slope);
    return found && valueAt(expr, symbol, *found) == wanted ? found : std::nullopt;
}

/// Whether the equation decided a new symbol. Errors: it does not hold.
Result<bool> apply(const ir::Model &model, const Equation &equation, Bindings &bindings)
{
    const Result<Expr> expr = symbolic::substitute(equation.declared, bindings);
    if (!expr)
        return usage(equation.place + ": " + expr.error().message);
    if (expr->kind() == symbolic::Kind::Integer) {
        if (expr->integerValue() == equation.given)
            return false;
        return usage(equation.place + ": the model has " + symbolic::print(equation.declared)
                     + (equation.declared == *expr ? "" : " = " + symbolic::print(*expr)) + ", not "
                     + std::to_string(equation.given));
    }
    const std::set<std::string> open = symbolic::symbolsOf(*expr);
    const auto value = open.size() == 1 ? solve(*expr, *open.begin(), equation.given) : std::nullopt;
    if (!value)
        return false;
    const Result<void> fits = bind(model, bindings, *open.begin(), *value);
    return fits ? Result<bool>(true) : std::unexpected(fits.error());
}

} // namespace

namespace {

bool isTouched(const Expr &expr, const Bindings &bindings)
{
    return std::ranges::any_of(symbolic::symbolsOf(expr),
                               [&](const auto &symbol) { return bindings.contains(symbol); });
}

/// Whether the bindings leave each input a size: none divides by zero, overflows or is negative.
Result<void> checkSizes(const ir::Model &model, const ir::Function &function, const Bindings &bindings)
{
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        const auto *type = value ? ir::tensorType(*model.context, function.graph.at(*value).type) : nullptr;
        for (std::size_t i = 0; type && type->shape && i < type->shape->size(); ++i) {
            const auto *expr = std::get_if<Expr>(&(*type->shape)[i]);
            if (!expr || !isTouched(*expr, bindings))
                continue;
            const Result<Expr> size = symbolic::substitute(*expr, bindings);
            const std::string place =
                "input '" + std::string(model.context->text(input.name)) + "', dimension " + std::to_string(i);
            if (!size)
                return usage(place + ": " + size.error().message);
            if (size->kind() == symbolic::Kind::Integer && size->integerValue() < 0)
                return usage(place + " would be " + symbolic::print(*size));
        }
    }
    return {};
}

} // namespace

Result<Bindings> parseBindings(const ir::Model &model, std::span<const std::string> texts)
{
    Bindings bindings;
    for (const std::string &text : texts)
        for (const std::string_view part : split(text, ','))
            if (const Result<void> r = parseBinding(model, bindings, part); !r)
                return std::unexpected(r.error());
    return bindings;
}

Result<analysis::Given> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                                   Bindings bindings)
{
    Giving giving(model, model.functions[function.index]);
    for (const std::string &text : texts)
        if (const Result<void> r = giving.give(text); !r)
            return std::unexpected(r.error());
    // An equation may need a symbol that a later one decides; one round more checks what has been decided.
    for (bool decided = true; decided;) {
        decided = false;
        for (const Equation &equation : giving.equations()) {
            const Result<bool> r = apply(model, equation, bindings);
            if (!r)
                return std::unexpected(r.error());
            decided |= *r;
        }
    }
    if (const Result<void> r = checkSizes(model, model.at(function), bindings); !r)
        return std::unexpected(r.error());
    return analysis::Given{std::move(bindings), giving.facts()};
}

Result<analysis::Given> readGiven(ir::Model &model, ir::FunctionId function, std::span<const std::string> bindings,
                                  std::span<const std::string> inputs)
{
    std::vector<std::string> given;
    for (const ir::FunctionInput &input : model.at(function).inputs) {
        const std::string name(model.context->text(input.name));
        const auto isGiven = [&](const std::string &text) {
            return text.starts_with(name + "=") || text.starts_with(name + ".");
        };
        if (std::ranges::any_of(inputs, isGiven))
            given.push_back(name);
    }
    analysis::assumeInputs(model, function, given);
    auto values = parseBindings(model, bindings);
    return values ? giveInputs(model, function, inputs, std::move(*values)) : std::unexpected(values.error());
}

ir::Model withoutGiven(ir::Model model, const ir::Model &file, ir::FunctionId function)
{
    const ir::Graph &before = file.at(function).graph;
    ir::Graph &graph = model.functions[function.index].graph;
    for (const ir::ValueId input : before.at(ir::Graph::body).inputs)
        graph.setType(input, before.at(input).type);
    model.symbols = file.symbols;
    return model;
}

Result<analysis::Variation> parseSweep(const ir::Model &model, const Bindings &bindings, std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    auto values = equals == text.npos ? std::nullopt : valuesOf(text.substr(equals + 1));
    if (!values)
        return usage(
            "'" + std::string(text)
            + "' is no sweep; wanted SYMBOL=FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR, as s0=1:256:*2");
    const std::string name(text.substr(0, equals));
    if (const Result<void> isThere = checkSymbol(model, name); !isThere)
        return std::unexpected(isThere.error());
    if (bindings.contains(name))
        return usage("symbol '" + name + "' is swept and given as " + std::to_string(bindings.find(name)->second));
    if (values->size() > mostSweepPoints)
        return usage("the sweep '" + std::string(text) + "' has more than " + std::to_string(mostSweepPoints)
                     + " values; a step makes it fewer, as in s0=1:4096:16 or s0=1:4096:*2");
    for (const std::int64_t value : {values->front(), values->back()}) {
        Bindings tried;
        if (const Result<void> fits = bind(model, tried, name, value); !fits)
            return std::unexpected(fits.error());
    }
    return analysis::Variation{name, std::move(*values)};
}

} // namespace cutaway::report
