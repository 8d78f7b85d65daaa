// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/calls.h"

#include "core/base/text.h"
#include "core/formats/graph_text/lowering/expressions.h"
#include "core/formats/python/torch_arguments.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace cutaway::formats::graph_text {

namespace {

/// Modules of torch whose functions are ATen's operators, and the prefix of the operators' names.
constexpr std::pair<std::string_view, std::string_view> atenModules[] = {
    {"torch.nn.functional.", ""},
    {"torch._C._nn.", ""},
    {"torch.functional.", ""},
    {"torch._VF.", ""},
    {"torch._C._linalg.", ""},
    {"torch._C._fft.", ""},
    {"torch._C._special.", ""},
    {"torch.linalg.", "linalg_"},
    {"torch.fft.", "fft_"},
    {"torch.special.", "special_"},
    {"torch._C._VariableFunctions.", ""},
    {"torch.", ""},
};

/// Returns the operators' number for Python's name of a reduction; that of "mean" if none is given.
ir::Operand reductionOf(const ir::Context &context, const ir::Operand *given)
{
    constexpr std::array<std::string_view, 3> words{"none", "mean", "sum"};
    const auto *text = given ? given->as<ir::String>() : nullptr;
    const auto *const word = std::ranges::find(words, text ? context.text(text->text) : "mean");
    return word == words.end() ? *given : ir::Operand(std::int64_t{word - words.begin()});
}

/// Returns "relu" for "torch.nn.functional.relu"; nothing for functions of other modules.
std::optional<std::string> atenName(std::string_view function)
{
    for (const auto &[module, prefix] : atenModules)
        if (function.starts_with(module) && !function.substr(module.size()).contains('.'))
            return std::string(prefix).append(function.substr(module.size()));
    return std::nullopt;
}

/// Whether a call gives all arguments that this version of an overload requires, and no others.
bool takes(const ops::Schema &schema, const GivenArguments &given)
{
    if (given.positional.size() > schema.arguments.size())
        return false;
    const auto isGiven = [&](const ops::SchemaArgument &declared) {
        return declared.defaultValue
            || std::ranges::contains(given.named, declared.name, &std::pair<std::string, ir::Operand>::first);
    };
    return std::ranges::all_of(schema.arguments | std::views::drop(given.positional.size()), isGiven);
}

const ops::SchemaArgument *argumentNamed(const ops::Schema &schema, std::string_view name)
{
    const auto found = std::ranges::find(schema.arguments, name, &ops::SchemaArgument::name);
    return found == schema.arguments.end() ? nullptr : &*found;
}

/// A parameter of a Python function.
struct Parameter {
    std::string_view name;     ///< the name in Python
    std::string_view argument; ///< the operator's name for it, or ""
    bool isIgnored = false;    ///< whether every value of it is ignored
};

std::vector<Parameter> parametersOf(const PythonFunction &function)
{
    std::vector<Parameter> parameters;
    for (std::string_view rest = function.parameters; !rest.empty();) {
        const std::string_view one = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        const std::size_t equals = one.find('=');
        if (one.starts_with('-') || one.starts_with('~'))
            parameters.push_back({one.substr(1), {}, one.front() == '~'});
        else
            parameters.push_back({equals == one.npos ? one : one.substr(equals + 1), one.substr(0, equals)});
    }
    return parameters;
}

/// Whether an argument that the operator lacks has no effect: it is None or False.
bool isNothing(const ir::Operand &operand)
{
    const auto *flag = operand.as<bool>();
    return operand.as<ir::None>() || (flag && !*flag);
}

} // namespace

const Calls::Schemas &Calls::schemas(std::string_view dialect, std::string_view name)
{
    const std::string key = std::string(dialect).append("::").append(name);
    if (const auto known = m_schemas.find(key); known != m_schemas.end())
        return known->second;
    return m_schemas.emplace(key, ops::schemasOf(dialect, name)).first->second;
}

ir::TypeId Calls::typeOf(const ir::Operand &operand)
{
    if (const auto *value = operand.as<ir::ValueId>())
        return m_graph.at(*value).type;
    const auto *list = operand.as<ir::List>();
    if (!list)
        return m_reading.types.ofConstant(operand);
    std::vector<ir::TypeId> types;
    for (const ir::Operand &item : list->items)
        types.push_back(typeOf(item));
    return list->kind == ir::List::Kind::Tuple && !types.empty()
        ? m_reading.types.compound(ir::CompoundType::Kind::Tuple, std::move(types))
        : m_reading.types.listOf(types);
}

std::vector<ir::TypeId> Calls::typesOf(std::span<const ops::SchemaArgument> results)
{
    std::vector<ir::TypeId> types;
    for (const ops::SchemaArgument &result : results)
        types.push_back(m_reading.types.of(result.type));
    return types;
}

std::optional<ops::OverloadMatch> Calls::match(const Schemas &candidates, const GivenArguments &given, Guess guess)
{
    const ir::TypeId boolean = m_reading.types.number(ir::NumberType::Kind::Bool);
    const auto of = [&](const ir::Operand &operand) {
        const ir::TypeId type = typeOf(operand);
        if (guess.unknownIsTensor && type == ir::TypeId{} && operand.as<ir::ValueId>())
            return ops::SchemaType::plain("Tensor");
        return guess.booleanIsInteger && type == boolean ? ops::SchemaType::plain("int")
                                                         : m_reading.types.schemaType(type);
    };
    ops::CallTypes types;
    for (const ir::Operand &operand : given.positional)
        types.positional.push_back(of(operand));
    for (const auto &[keyword, operand] : given.named)
        types.named.push_back({keyword, of(operand)});
    return ops::matchOverload(candidates, types);
}

/// Returns the operator of this name with the overload that fits the arguments; nothing if none fits.
std::optional<Callee> Calls::overloaded(std::string_view dialect, std::string_view name, const GivenArguments &given)
{
    const Schemas &candidates = schemas(dialect, name);
    if (candidates.empty())
        return std::nullopt;
    GivenArguments renamed = given;
    for (auto &[keyword, operand] : renamed.named)
        keyword = python::schemaKeyword(candidates, keyword);
    // The guesses are tried in turn: a value of unknown type is usually a tensor, and Python accepts True where a
    // number is expected.
    std::optional<ops::OverloadMatch> found;
    for (const Guess guess : {Guess{true, false}, Guess{false, false}, Guess{true, true}, Guess{false, true}})
        if (!found)
            found = match(candidates, renamed, guess);
    if (!found)
        return std::nullopt;
    const ops::Schema &schema = candidates[found->candidate];
    Callee callee{m_reading.context().op(dialect, name, schema.overload.empty() ? "default" : schema.overload), {}, {}};
    for (std::size_t i = 0; i < found->sources.size(); ++i) {
        ir::Operand operand;
        if (const auto *positional = std::get_if<ops::PositionalGiven>(&found->sources[i]))
            operand = renamed.positional[positional->index];
        else if (const auto *named = std::get_if<ops::NamedGiven>(&found->sources[i]))
            operand = renamed.named[named->index].second;
        else if (const auto *rest = std::get_if<ops::PositionalsGathered>(&found->sources[i]))
            operand = ir::List{
                {renamed.positional.begin() + static_cast<std::ptrdiff_t>(rest->first), renamed.positional.end()},
                ir::List::Kind::List};
        else
            continue;
        const ops::SchemaArgument &declared = schema.arguments[i];
        callee.arguments.push_back(argument(declared.name, python::fitted(std::move(operand), declared.type)));
    }
    callee.results.emplace();
    for (const ops::SchemaType &type : found->returns)
        callee.results->push_back(m_reading.types.of(type));
    return callee;
}

/// Returns the operator of a schema, with the arguments named; arguments beyond the schema stay without a name.
Callee Calls::bySchema(ir::OpId op, const ops::Schema &schema, GivenArguments given)
{
    Callee callee{op, {}, typesOf(schema.returns)};
    for (std::size_t i = 0; i < given.positional.size(); ++i) {
        const bool isDeclared = i < schema.arguments.size();
        callee.arguments.push_back(
            isDeclared ? argument(schema.arguments[i].name,
                                  python::fitted(std::move(given.positional[i]), schema.arguments[i].type))
                       : argument("", std::move(given.positional[i])));
    }
    for (auto &[keyword, operand] : given.named) {
        const ops::SchemaArgument *declared = argumentNamed(schema, keyword);
        callee.arguments.push_back(
            argument(keyword, declared ? python::fitted(std::move(operand), declared->type) : std::move(operand)));
    }
    return callee;
}

Callee Calls::unknown(std::string_view dialect, std::string_view name, GivenArguments given)
{
    Callee callee{m_reading.context().op(dialect, name), {}, {}};
    for (ir::Operand &operand : given.positional)
        callee.arguments.push_back(argument("", std::move(operand)));
    for (auto &[keyword, operand] : given.named)
        callee.arguments.push_back(argument(keyword, std::move(operand)));
    return callee;
}

/// Returns the operator "torch.ops.aten.add.Tensor"; if the name has no overload, the overload follows from the
/// arguments.
Callee Calls::torchOperator(std::string_view name, GivenArguments given)
{
    const auto op = graph_text::torchOperator(m_reading.context(), name);
    if (!op)
        return unknown("torch.ops", name.substr(name.rfind('.') + 1), std::move(given));
    const ir::Operator parts = m_reading.context().at(*op);
    const ir::Context &context = m_reading.context();
    const std::string_view dialect = context.text(parts.dialect), plain = context.text(parts.name),
                           overload = context.text(parts.overload);
    if (overload.empty()) {
        auto found = overloaded(dialect, plain, given);
        return found ? std::move(*found) : unknown(dialect, plain, std::move(given));
    }
    const Schemas &candidates = schemas(dialect, plain);
    const std::string_view wanted = overload == "default" ? "" : overload;
    auto schema = std::ranges::find(candidates, wanted, &ops::Schema::overload);
    const auto fitting = std::ranges::find_if(candidates, [&](const ops::Schema &candidate) {
        return candidate.overload == wanted && takes(candidate, given);
    });
    schema = fitting == candidates.end() ? schema : fitting;
    if (schema != candidates.end())
        return bySchema(*op, *schema, std::move(given));
    Callee callee = unknown(dialect, plain, std::move(given));
    callee.op = *op;
    return callee;
}

/// Returns the operator for a Python function of torch; nothing if the call asks for more than the operator does.
std::optional<Callee> Calls::pythonCall(const PythonFunction &function, const GivenArguments &given)
{
    const std::vector<Parameter> parameters = parametersOf(function);
    if (given.positional.size() > parameters.size())
        return std::nullopt;
    std::vector<std::pair<std::string_view, ir::Operand>> operands;
    bool isInPlace = false;
    const auto take = [&](const Parameter &parameter, const ir::Operand &operand) {
        if (!parameter.argument.empty())
            operands.emplace_back(parameter.argument, operand);
        else if (parameter.name == "inplace")
            isInPlace = !isNothing(operand);
        else
            return parameter.isIgnored || isNothing(operand);
        return true;
    };
    for (std::size_t i = 0; i < given.positional.size(); ++i)
        if (!take(parameters[i], given.positional[i]))
            return std::nullopt;
    for (const auto &[keyword, operand] : given.named) {
        const auto parameter = std::ranges::find(parameters, keyword, &Parameter::name);
        if (parameter == parameters.end() || !take(*parameter, operand))
            return std::nullopt;
    }
    if (function.op == "-") {
        Callee callee{
            m_reading.context().op("torch.nn.functional", function.name), {}, std::vector{m_reading.types.tensor()}};
        for (auto &[name, operand] : operands)
            callee.arguments.push_back(argument(name, std::move(operand)));
        return callee;
    }
    const std::string op = std::string(function.op.empty() ? function.name : function.op) + (isInPlace ? "_" : "");
    const Schemas &candidates = schemas("aten", op);
    const auto schema = std::ranges::find_if(candidates, [&](const ops::Schema &candidate) {
        return std::ranges::all_of(operands, [&](const auto &one) { return argumentNamed(candidate, one.first); });
    });
    return schema == candidates.end() ? std::nullopt : std::optional(pythonCallee(function, *schema, op, operands));
}

Callee Calls::pythonCallee(const PythonFunction &function, const ops::Schema &schema, std::string_view op,
                           const std::vector<std::pair<std::string_view, ir::Operand>> &operands)
{
    ir::Context &context = m_reading.context();
    Callee callee{function.op.empty() ? context.op("aten", op, schema.overload.empty() ? "default" : schema.overload)
                                      : context.op("torch.nn.functional", function.name),
                  {},
                  typesOf(schema.returns)};
    for (const ops::SchemaArgument &declared : schema.arguments) {
        const auto operand =
            std::ranges::find(operands, declared.name, &std::pair<std::string_view, ir::Operand>::first);
        const bool isOptional = declared.type.kind == ops::SchemaType::Kind::Optional;
        if (declared.name == "reduction") {
            callee.arguments.push_back(
                argument(declared.name, reductionOf(context, operand == operands.end() ? nullptr : &operand->second)));
            continue;
        }
        if (operand != operands.end() && (isOptional || !operand->second.as<ir::None>()))
            callee.arguments.push_back(argument(declared.name, python::fitted(operand->second, declared.type)));
    }
    return callee;
}

Callee Calls::function(std::string_view name, GivenArguments given)
{
    if (name.starts_with("torch.ops."))
        return torchOperator(name, std::move(given));
    const std::size_t dot = name.rfind('.');
    const std::string_view last = name.substr(dot + 1); // npos + 1 is 0
    const std::string_view module = dot == name.npos ? std::string_view("python") : name.substr(0, dot);
    if (module == "operator" || module == "_operator") {
        Callee callee = unknown("_operator", last, std::move(given));
        callee.results = {ir::TypeId{}};
        return callee;
    }
    if (const auto aten = atenName(name)) {
        const PythonFunction *row = pythonFunction(name);
        auto found = row ? pythonCall(*row, given) : overloaded("aten", *aten, given);
        if (found)
            return std::move(*found);
    }
    return unknown(module, last, std::move(given));
}

Callee Calls::method(std::string_view name, GivenArguments given)
{
    auto found = overloaded("aten", name, given);
    return found ? std::move(*found) : unknown("torch.Tensor", name, std::move(given));
}

Callee Calls::module(std::string_view path, GivenArguments given)
{
    return unknown("call_module", path, std::move(given));
}

} // namespace cutaway::formats::graph_text
