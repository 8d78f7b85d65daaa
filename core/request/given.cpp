// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given.h"

#include "core/analysis/assumed_inputs.h"
#include "core/base/checked.h"
#include "core/base/result.h"
#include "core/ir/node_ref.h"
#include "core/request/given_inputs.h"
#include "core/request/given_syntax.h"

#include <algorithm>
#include <set>

namespace cutaway::request {

namespace {

using symbolic::Bindings;
using symbolic::Expr;

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

/// Binds a symbol. Errors: the value is out of the symbol's range, or negative if the symbol has no range; the symbol
/// has another value already.
Result<void> bind(const ir::Model &model, Bindings &bindings, const std::string &name, std::int64_t value)
{
    const auto symbol = std::ranges::find(model.symbols, name, &ir::Symbol::name);
    if (symbol != model.symbols.end()
        && ((symbol->min && value < *symbol->min) || (symbol->max && value > *symbol->max)))
        return usageError("symbol '" + name + "' cannot be " + std::to_string(value) + ": its range is "
                          + rangeText(*symbol));
    if (value < 0 && (symbol == model.symbols.end() || (!symbol->min && !symbol->max)))
        return usageError("symbol '" + name + "' cannot be " + std::to_string(value) + ": sizes are not negative");
    const auto [place, isNew] = bindings.emplace(name, value);
    if (!isNew && place->second != value)
        return usageError("symbol '" + name + "' is given as " + std::to_string(place->second) + " and as "
                          + std::to_string(value));
    return {};
}

Result<void> checkSymbol(const ir::Model &model, const std::string &name)
{
    if (std::ranges::find(model.symbols, name, &ir::Symbol::name) == model.symbols.end())
        return usageError("unknown symbol '" + name + "'; " + symbolNames(model));
    return {};
}

Result<void> parseBinding(const ir::Model &model, Bindings &bindings, std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    const auto value = equals == text.npos ? std::nullopt : parseInteger(text.substr(equals + 1));
    if (!value)
        return usageError("'" + std::string(text) + "' is not a binding; expected SYMBOL=NUMBER, for example s0=8");
    const std::string name(text.substr(0, equals));
    const Result<void> isThere = checkSymbol(model, name);
    return isThere ? bind(model, bindings, name, *value) : isThere;
}

// ---------------------------------------------------------------- sweeps

struct Progression {
    std::int64_t first = 0, last = 0, step = 1;
    bool multiplies = false; ///< whether each value is the previous one times `step`, not plus `step`
};

std::optional<Progression> progressionOf(std::string_view range)
{
    const auto parts = split(range, ':');
    if (parts.size() < 2 || parts.size() > 3)
        return std::nullopt;
    const bool multiplies = parts.size() == 3 && parts[2].starts_with('*');
    const auto first = parseInteger(parts[0]), last = parseInteger(parts[1]);
    const auto step = parts.size() == 2 ? std::optional<std::int64_t>(1) : parseInteger(parts[2].substr(multiplies));
    if (!first || !last || !step || *first < 0 || *first > *last || *step < 1)
        return std::nullopt;
    if (multiplies && (*step == 1 || *first == 0)) // the range would have no end
        return std::nullopt;
    return Progression{*first, *last, *step, multiplies};
}

/// Returns the values of "1:256", "1:256:8" or "1:256:*2"; nothing for a malformed or endless range.
std::optional<std::vector<std::int64_t>> valuesOf(std::string_view range)
{
    const auto progression = progressionOf(range);
    if (!progression)
        return std::nullopt;
    std::vector<std::int64_t> values;
    // One value above the limit suffices to detect too many.
    for (auto next = std::optional(progression->first);
         next && *next <= progression->last && values.size() <= maxSweepPoints;) {
        values.push_back(*next);
        next =
            progression->multiplies ? checkedMultiply(*next, progression->step) : checkedAdd(*next, progression->step);
    }
    return values;
}

// ---------------------------------------------------------------- solving

std::optional<std::int64_t> valueAt(const Expr &expr, const std::string &symbol, std::int64_t at)
{
    const Result<Expr> value = symbolic::substitute(expr, {{symbol, at}});
    return value && value->kind() == symbolic::Kind::Integer ? std::optional(value->integerValue()) : std::nullopt;
}

/// Returns the only integer at which an expression of one symbol equals `wanted`, if the expression is linear there.
std::optional<std::int64_t> solve(const Expr &expr, const std::string &symbol, std::int64_t wanted)
{
    const auto zero = valueAt(expr, symbol, 0);
    const auto one = valueAt(expr, symbol, 1);
    const auto slope = zero && one ? checkedSubtract(*one, *zero) : std::nullopt;
    const auto rest = zero ? checkedSubtract(wanted, *zero) : std::nullopt;
    if (!slope || !rest || *slope == 0)
        return std::nullopt;
    // A division by a slope of -1 is done as a negation: dividing the smallest integer by it would overflow.
    const auto found = *slope == -1 ? checkedSubtract<std::int64_t>(0, *rest) : std::optional(*rest / *slope);
    return found && valueAt(expr, symbol, *found) == wanted ? found : std::nullopt;
}

/// Whether an expression is a sum of symbols times numbers. If solve() finds no integer for such an expression, there
/// is none.
bool isLinear(const Expr &expr)
{
    const auto &operands = expr.operands();
    switch (expr.kind()) {
    case symbolic::Kind::Integer:
    case symbolic::Kind::Symbol:
        return true;
    case symbolic::Kind::Multiply:
        if (std::ranges::count_if(operands, [](const Expr &factor) { return !factor.isConstant(); }) > 1)
            return false;
        [[fallthrough]];
    case symbolic::Kind::Add:
        return std::ranges::all_of(operands, isLinear);
    default:
        return false;
    }
}

/// Binds the symbol that an equation determines. Returns whether there was one. Errors: the equation does not hold.
Result<bool> apply(const ir::Model &model, const Equation &equation, Bindings &bindings)
{
    const Result<Expr> expr = symbolic::substitute(equation.declared, bindings);
    if (!expr)
        return usageError(equation.place + ": " + expr.error().message);
    if (expr->kind() == symbolic::Kind::Integer) {
        if (expr->integerValue() == equation.given)
            return false;
        return usageError(equation.place + ": the model has " + symbolic::print(equation.declared)
                          + (equation.declared == *expr ? "" : " = " + symbolic::print(*expr)) + ", not "
                          + std::to_string(equation.given));
    }
    const std::set<std::string> open = symbolic::symbolsOf(*expr);
    const auto value = open.size() == 1 ? solve(*expr, *open.begin(), equation.given) : std::nullopt;
    if (!value && open.size() == 1 && isLinear(*expr))
        return usageError(equation.place + ": the model has " + symbolic::print(*expr) + ", which no " + *open.begin()
                          + " makes " + std::to_string(equation.given));
    if (!value)
        return false;
    CUTAWAY_RETURN_IF_ERROR(bind(model, bindings, *open.begin(), *value));
    return true;
}

bool isTouched(const Expr &expr, const Bindings &bindings)
{
    return std::ranges::any_of(symbolic::symbolsOf(expr),
                               [&](const auto &symbol) { return bindings.contains(symbol); });
}

/// Checks that with these bindings no size of an input divides by zero, overflows or is negative.
Result<void> checkSizes(const ir::Model &model, const ir::Function &function, const Bindings &bindings)
{
    for (const ir::FunctionInput &input : function.inputs) {
        const auto value = ir::valueOf(function.graph, &input.value);
        const auto *type = value ? value->tensorType() : nullptr;
        for (std::size_t i = 0; type && type->shape && i < type->shape->size(); ++i) {
            const auto *expr = std::get_if<Expr>(&(*type->shape)[i]);
            if (!expr || !isTouched(*expr, bindings))
                continue;
            const Result<Expr> size = symbolic::substitute(*expr, bindings);
            const std::string place =
                "input '" + std::string(model.context->text(input.name)) + "', dimension " + std::to_string(i);
            if (!size)
                return usageError(place + ": " + size.error().message);
            if (size->kind() == symbolic::Kind::Integer && size->integerValue() < 0)
                return usageError(place + " would be " + symbolic::print(*size));
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
            CUTAWAY_RETURN_IF_ERROR(parseBinding(model, bindings, part));
    return bindings;
}

/// Returns the type without sizes, also within lists and the like; with `keepsDType` the elements keep their dtype.
static ir::TypeId withoutSizes(ir::Context &context, ir::TypeId id, bool keepsDType)
{
    const ir::Type type = context.at(id);
    if (const auto *tensor = std::get_if<ir::TensorType>(&type)) {
        ir::TensorType bare;
        bare.dtype = keepsDType ? tensor->dtype : std::nullopt;
        return context.type(bare);
    }
    const auto *compound = std::get_if<ir::CompoundType>(&type);
    if (!compound)
        return id;
    ir::CompoundType bare = *compound;
    for (ir::TypeId &element : bare.elements)
        element = withoutSizes(context, element, keepsDType);
    return context.type(bare);
}

/// Removes the sizes from the recorded types of inner values, as they follow from the sizes that are replaced; also the
/// dtypes if an input has another dtype.
static void forgetRecord(ir::Model &model, ir::FunctionId function, const analysis::Given &given)
{
    const bool keepsDType = std::ranges::all_of(given.replaced, [&](const auto &replaced) {
        const auto *was = ir::tensorType(*model.context, replaced.second);
        const auto found = given.inputs.find(replaced.first);
        const auto *is = found == given.inputs.end() ? nullptr : ops::asTensor(found->second);
        return was && is && (!was->dtype || was->dtype == is->dtype);
    });
    for (std::uint32_t f = 0; f < model.functions.size(); ++f) {
        ir::Graph &graph = model.functions[f].graph;
        const auto &inputs = graph.at(ir::Graph::body).inputs;
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            const ir::ValueRef value(graph, ir::ValueId{i});
            const bool isInput = ir::FunctionId{f} == function && std::ranges::contains(inputs, value.id());
            if (!isInput && !value.weight())
                graph.setType(value, withoutSizes(*model.context, value->type, keepsDType));
        }
    }
}

static Result<GivenValues> solved(ir::Model &model, ir::FunctionId function, GivenInputs given, Bindings bindings)
{
    // An equation may need a symbol that a later one determines; the last iteration checks them all.
    for (bool decided = true; decided;) {
        decided = false;
        for (const Equation &equation : given.equations) {
            CUTAWAY_TRY(const bool r, apply(model, equation, bindings));
            decided |= r;
        }
    }
    CUTAWAY_RETURN_IF_ERROR(checkSizes(model, model.at(function), bindings));
    GivenValues values{{std::move(bindings), std::move(given.facts), std::move(given.replaced)},
                       std::move(given.tensors)};
    if (!values.replaced.empty())
        forgetRecord(model, function, values);
    return values;
}

Result<GivenValues> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                               Bindings bindings)
{
    CUTAWAY_TRY(GivenInputs given, readInputs(model, function, texts));
    return solved(model, function, std::move(given), std::move(bindings));
}

Result<GivenValues> readGiven(ir::Model &model, ir::FunctionId function, std::span<const std::string> bindings,
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
    CUTAWAY_TRY(auto read, readInputs(model, function, inputs));
    // These are parsed after the inputs, since bindings may be of symbols that inputs name.
    CUTAWAY_TRY(auto values, parseBindings(model, bindings));
    return solved(model, function, std::move(read), std::move(values));
}

/// Returns the type `now` of an input with the user's numbers for sizes that are numbers or unknown in the file; other
/// sizes are again those of the file.
static ir::TypeId withReplaced(ir::Context &context, ir::TypeId now, ir::TypeId file)
{
    const auto *is = ir::tensorType(context, now), *was = ir::tensorType(context, file);
    if (!is || !was || !is->shape || (was->shape && was->shape->size() != is->shape->size()))
        return file;
    const auto isNumber = [](const ir::Dim &dim) { return std::holds_alternative<std::int64_t>(dim); };
    if (!was->shape)
        return std::ranges::all_of(*is->shape, isNumber) ? now : file;
    ir::TensorType type = *was;
    if (is->device)
        type.device = is->device; // a pass may have moved the input to another device
    for (std::size_t i = 0; i < is->shape->size(); ++i)
        if (isNumber((*was->shape)[i]) || isNumber((*is->shape)[i]))
            (*type.shape)[i] = (*is->shape)[i];
    return context.type(type);
}

static bool isNamedIn(const ir::TensorType *type, const std::string &symbol)
{
    return type && type->shape && std::ranges::any_of(*type->shape, [&](const ir::Dim &dim) {
               const auto *expr = std::get_if<Expr>(&dim);
               return expr && symbolic::symbolsOf(*expr).contains(symbol);
           });
}

ir::Model withoutGiven(ir::Model model, const ir::Model &file, ir::FunctionId function)
{
    const ir::Graph &before = file.at(function).graph;
    ir::Graph &graph = model.functions[function.index].graph;
    for (const ir::ValueId input : before.at(ir::Graph::body).inputs)
        graph.setType(input, withReplaced(*model.context, graph.at(input).type, before.at(input).type));
    std::vector<ir::Symbol> symbols = file.symbols;
    for (const ir::ValueId input : before.at(ir::Graph::body).inputs)
        for (const ir::Symbol &symbol : model.symbols)
            if (isNamedIn(ir::ValueRef(graph, input).tensorType(), symbol.name)
                && !std::ranges::contains(symbols, symbol.name, &ir::Symbol::name))
                symbols.push_back(symbol);
    model.symbols = std::move(symbols);
    return model;
}

Result<analysis::Variation> parseSweep(const ir::Model &model, const Bindings &bindings, std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    auto values = equals == text.npos ? std::nullopt : valuesOf(text.substr(equals + 1));
    if (!values)
        return usageError("'" + std::string(text)
                          + "' is not a sweep; expected SYMBOL=FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR, for "
                            "example s0=1:256:*2");
    const std::string name(text.substr(0, equals));
    CUTAWAY_RETURN_IF_ERROR(checkSymbol(model, name));
    if (bindings.contains(name))
        return usageError("symbol '" + name + "' is swept and given as " + std::to_string(bindings.find(name)->second));
    if (values->size() > maxSweepPoints)
        return usageError("the sweep '" + std::string(text) + "' has more than " + std::to_string(maxSweepPoints)
                          + " values; give a larger step, for example s0=1:4096:16 or s0=1:4096:*2");
    for (const std::int64_t value : {values->front(), values->back()}) {
        Bindings tried;
        CUTAWAY_RETURN_IF_ERROR(bind(model, tried, name, value));
    }
    return analysis::Variation{name, std::move(*values)};
}

} // namespace cutaway::request
