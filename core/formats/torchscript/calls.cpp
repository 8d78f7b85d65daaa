// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/body_lowering.h"

#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/dead_code.h"
#include "core/formats/torchscript/folding.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

/// Functions of the language that are operators: `int(x)`.
constexpr std::array<std::pair<std::string_view, std::pair<std::string_view, std::string_view>>, 9> builtins{{
    {"int", {"aten", "Int"}},
    {"float", {"aten", "Float"}},
    {"bool", {"aten", "Bool"}},
    {"complex", {"aten", "Complex"}},
    {"str", {"aten", "str"}},
    {"print", {"prim", "Print"}},
    {"list", {"aten", "list"}},
    {"dict", {"aten", "dict"}},
    {"sorted", {"aten", "sorted"}},
}};

const ClassDefinition *classOf(const ir::Context &context, const Code &code, ir::TypeId type)
{
    const auto *object = std::get_if<ir::ClassType>(&context.at(type));
    return object ? code.findClass(context.text(object->name)) : nullptr;
}

} // namespace

Term BodyLowering::call(const Call &call, Place place, std::string_view hint)
{
    const auto dotted = dottedName(tree(), call.callee);
    if (const auto *name = std::get_if<Name>(&tree().at(call.callee).kind); name && !m_names.contains(name->text))
        return callBuiltin(name->text, call, place, hint);
    if (dotted && dotted->contains('.') && !m_names.contains(std::string_view(*dotted).substr(0, dotted->find('.'))))
        return callGlobal(*dotted, call, place, hint);
    if (const auto *attribute = std::get_if<Attribute>(&tree().at(call.callee).kind))
        return callMethod(*attribute, call, place, hint);
    const Term callee = term(call.callee);
    if (const auto *function = std::get_if<FunctionTerm>(&callee))
        return callFunction(**function, given(call), m_at.scope, place, hint);
    return unknown("what is called is no function", place);
}

std::optional<std::pair<std::string, std::string>> BodyLowering::operatorOf(const Call &call) const
{
    const auto dotted = dottedName(tree(), call.callee);
    if (!dotted || m_names.contains(std::string_view(*dotted).substr(0, dotted->find('.'))))
        return std::nullopt;
    const std::string_view name = *dotted;
    const std::size_t dot = name.rfind('.');
    if (name.starts_with("torch.") && dot == 5)
        return std::pair("aten", std::string(name.substr(6)));
    if (name.starts_with("ops.") && dot > 4)
        return std::pair(std::string(name.substr(4, dot - 4)), std::string(name.substr(dot + 1)));
    return std::nullopt;
}

Term BodyLowering::callGlobal(std::string_view dotted, const Call &call, Place place, std::string_view hint)
{
    if (dotted == "torch.device" && call.arguments.size() == 1) {
        const Typed text = value(call.arguments[0].value);
        if (const auto *device = text.operand.as<ir::String>())
            return deviceNamed(m_lowering.model.context->text(device->text));
    }
    if (const auto op = operatorOf(call))
        return operation(op->first, op->second, call, place, hint);
    if (const FunctionDefinition *function = m_lowering.code.findFunction(dotted); function && !function->owner)
        return callFunction(*function, given(call), m_at.scope, place, hint);
    if (dotted.ends_with(".__new__"))
        return m_writer.emit(at(place), m_writer.op("prim", "CreateObject"), {},
                             m_lowering.types.ofClass(dotted.substr(0, dotted.size() - 8)), hint);
    const ClassDefinition *named = m_lowering.code.findClass(dotted);
    if (named && named->syntax->kind == Class::Kind::NamedTuple) {
        ir::List items{{}, ir::List::Kind::Tuple};
        for (const Argument &argument : call.arguments)
            items.items.push_back(value(argument.value).operand);
        return Typed{std::move(items), m_lowering.types.ofClass(dotted)};
    }
    return unknown("the function \"" + sanitized(dotted) + "\" is not in this archive", place);
}

Typed BodyLowering::deviceNamed(std::string_view text)
{
    ir::Device device{m_lowering.model.context->name(text.substr(0, text.find(':'))), {}};
    if (const std::size_t colon = text.find(':'); colon != text.npos) {
        int index = 0;
        const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), index);
        if (error == std::errc() && end == text.data() + text.size())
            device.index = index;
    }
    return {device, m_lowering.types.plain(ir::PlainType::Kind::Device)};
}

Term BodyLowering::callBuiltin(std::string_view name, const Call &call, Place place, std::string_view hint)
{
    if (name == "fork" || name == "awaitable")
        return fork(name, call, place, hint);
    const auto known = std::ranges::find(builtins, name, &decltype(builtins)::value_type::first);
    if (known == builtins.end())
        return unknown("the function \"" + sanitized(name) + "\" is not defined", place);
    return operation(known->second.first, known->second.second, call, place, hint);
}

/// A region of its own that runs beside what follows; what it reads of the function comes from outside.
Term BodyLowering::fork(std::string_view operation, const Call &call, Place place, std::string_view hint)
{
    const Term body = call.arguments.empty() ? Term(Typed{}) : term(call.arguments[0].value);
    const auto *local = std::get_if<LocalTerm>(&body);
    if (!local)
        return unknown("what is forked is no function of this one", place);
    const bool isFork = operation == "fork";
    const ir::NodeId node = m_writer.append(at(place), m_writer.op("prim", operation), {});
    const ir::RegionId region = m_writer.graph.addRegion(node, m_lowering.model.context->name("body"));
    const std::size_t start = mark();
    const ir::RegionId outer = std::exchange(m_at.region, region);
    const ir::RegionId begun = std::exchange(m_begun, region);
    const std::optional<Term> result = std::exchange(m_result, std::nullopt);
    block((*local)->body);
    Typed end = m_result ? asValue(std::move(*m_result)) : Typed{ir::None{}, none()};
    m_result = result;
    m_begun = begun;
    m_at.region = outer;
    undo(start);
    m_writer.graph.setOutputs(region, {std::move(end.operand)});
    const auto kind = isFork ? ir::CompoundType::Kind::Future : ir::CompoundType::Kind::Await;
    return m_writer.addResult(node, m_lowering.types.compound(kind, {end.type}), hint);
}

Term BodyLowering::callMethod(const Attribute &callee, const Call &call, Place place, std::string_view hint)
{
    const ir::Context &context = *m_lowering.model.context;
    const Term object = term(callee.object);
    Given all = given(call);
    all.positional.insert(all.positional.begin(), object);
    if (const auto *module = std::get_if<ModuleTerm>(&object)) {
        const ClassDefinition *definition = m_lowering.objects.at(module->instance).definition;
        const FunctionDefinition *method = definition ? definition->method(callee.name) : nullptr;
        if (!method || module->interface)
            return keptCall(method, callee.name, std::move(all), place, hint);
        return callFunction(*method, std::move(all), m_writer.enter(m_at.scope, module->path), place, hint);
    }
    const auto *self = std::get_if<Typed>(&object);
    if (!self)
        return unknown("a function has no methods", place);
    if (callee.name == "tolist" && ir::tensorType(context, self->type))
        return m_writer.emit(at(place), m_writer.op("prim", "tolist"), {m_writer.argument("", self->operand)}, {},
                             hint);
    const ClassDefinition *definition = classOf(context, m_lowering.code, self->type);
    const FunctionDefinition *method = definition ? definition->method(callee.name) : nullptr;
    const bool isInterface = definition
        && (definition->syntax->kind == Class::Kind::Interface
            || definition->syntax->kind == Class::Kind::ModuleInterface);
    if (!method || isInterface)
        return keptCall(method, callee.name, std::move(all), place, hint);
    return callFunction(*method, std::move(all), m_at.scope, place, hint);
}

BodyLowering::Given BodyLowering::given(const Call &call)
{
    Given given;
    for (const Argument &argument : call.arguments) {
        if (argument.keyword)
            given.named.emplace_back(*argument.keyword, term(argument.value));
        else
            given.positional.push_back(term(argument.value));
    }
    return given;
}

bool BodyLowering::mayInline(const FunctionDefinition &function) const
{
    return m_nesting.calls == Nesting::Calls::Inlined && m_nesting.depth < limits::maxCallDepth
        && m_writer.nodeCount() < limits::maxInlinedNodes && !std::ranges::contains(m_nesting.open, &function);
}

Term BodyLowering::callFunction(const FunctionDefinition &function, Given given, ir::ScopeId scope, Place place,
                                std::string_view hint)
{
    if (mayInline(function))
        return inlined(function, std::move(given), scope, place);
    const bool isCircle = std::ranges::contains(m_nesting.open, &function);
    if (isCircle && !m_lowering.fault)
        m_lowering.fault =
            Error{ErrorKind::Unreadable, sanitized(function.name) + " calls itself, which TorchScript cannot",
                  placeText(place)};
    else if (!isCircle && m_nesting.calls == Nesting::Calls::Inlined)
        m_lowering.noteOnce(ir::Severity::Warning, "torchscript.inlining",
                            "calls of " + sanitized(function.name) + " stay calls: there is too much to inline");
    return keptCall(&function, function.syntax->name, std::move(given), place, hint);
}

Term BodyLowering::inlined(const FunctionDefinition &function, Given given, ir::ScopeId scope, Place place)
{
    BodyLowering body(m_lowering, m_writer, m_nesting, function, {m_at.region, scope, at(place).location});
    const auto &parameters = function.syntax->parameters;
    const auto bindTyped = [&](const Parameter &parameter, Term term) {
        auto *value = std::get_if<Typed>(&term);
        if (value && parameter.type)
            value->type = body.typeOf(*parameter.type);
        if (value && !isOptimized()) { // what it is here is not known there
            value->seen = value->type;
            value->constant = Typed::Constant::No;
        } else if (value && value->constant == Typed::Constant::No
                   && isNone(*m_lowering.model.context, {value->operand, value->type}))
            value->level = level() + 1; // the parameter's own type says it
        const auto *list = value ? value->operand.as<ir::List>() : nullptr;
        if (list && list->kind == ir::List::Kind::List && !m_lowering.facts(function).isOnlyRead(parameter.name))
            *value = kept(std::move(*value), place, parameter.name);
        body.bind(parameter.name, std::move(term));
    };
    for (std::size_t i = 0; i < given.positional.size() && i < parameters.size(); ++i)
        bindTyped(parameters[i], std::move(given.positional[i]));
    for (auto &[name, term] : given.named)
        if (const auto parameter = std::ranges::find(parameters, name, &Parameter::name); parameter != parameters.end())
            bindTyped(*parameter, std::move(term));
    body.bindDefaults();
    const ir::NodeId first{m_writer.graph.nodeCount()};
    const bool isOutermost = !isOptimized();
    m_nesting.open.push_back(&function);
    m_nesting.starts.push_back(first);
    Term result = body.run();
    m_nesting.open.pop_back();
    m_nesting.starts.pop_back();
    if (m_nesting.hasFolded) {
        const auto *value = std::get_if<Typed>(&result);
        removeDeadCode(m_writer.graph, m_at.region, first, value ? value->operand : ir::Operand(),
                       m_lowering.operators);
    }
    m_nesting.hasFolded = m_nesting.hasFolded && !isOutermost;
    if (auto *value = std::get_if<Typed>(&result)) {
        if (function.syntax->result)
            value->type = body.typeOf(*function.syntax->result);
        value->level = std::min(value->level, level());
        if (const auto *made = value->operand.as<ir::ValueId>())
            value->seen = m_writer.graph.at(*made).type;
    }
    return result;
}

void BodyLowering::bindDefaults()
{
    for (const Parameter &parameter : m_function.syntax->parameters) {
        if (m_names.contains(parameter.name))
            continue;
        Typed typed = parameter.value ? value(*parameter.value) : Typed{};
        if (!parameter.value)
            unknown("the parameter \"" + std::string(parameter.name) + "\" is given no value", parameter.place);
        if (parameter.type)
            typed.type = typeOf(*parameter.type);
        bind(parameter.name, std::move(typed));
    }
}

/// prim::CallMethod or prim::CallFunction: what is called and what it is given.
Term BodyLowering::keptCall(const FunctionDefinition *function, std::string_view method, Given given, Place place,
                            std::string_view hint)
{
    const bool isMethod = !function || function->owner;
    std::vector<ir::Argument> arguments;
    if (isMethod)
        arguments.push_back(m_writer.argument("method", m_writer.text(method)));
    if (const auto id = function ? m_lowering.functionId(*function) : std::nullopt)
        arguments.push_back(m_writer.argument("function", *id));
    for (std::size_t i = 0; i < given.positional.size(); ++i)
        arguments.push_back(
            m_writer.argument(isMethod && i == 0 ? "self" : "", asValue(std::move(given.positional[i])).operand));
    for (auto &[name, term] : given.named)
        arguments.push_back(m_writer.argument(name, asValue(std::move(term)).operand));
    ir::TypeId type;
    if (function && function->syntax->result)
        type = m_lowering.types.of(function->unit->file.tree, *function->syntax->result);
    return m_writer.emit(at(place), m_writer.op("prim", isMethod ? "CallMethod" : "CallFunction"), std::move(arguments),
                         type, hint.empty() ? method : hint);
}

std::vector<Typed> BodyLowering::operatorResults(std::string_view dialect, std::string_view name, const Call &call,
                                                 Place place, std::span<const std::string_view> hints)
{
    OperatorCall operation{dialect, name, {}, {}};
    for (const Argument &argument : call.arguments) {
        if (argument.keyword)
            operation.named.push_back({*argument.keyword, value(argument.value)});
        else
            operation.positional.push_back(value(argument.value));
    }
    return emitOperation(std::move(operation), place, hints);
}

/// An operation in an expression: one result, or None if it has none.
Typed BodyLowering::operation(std::string_view dialect, std::string_view name, const Call &call, Place place,
                              std::string_view hint)
{
    return operatorResults(dialect, name, call, place, {&hint, 1}).front();
}

/// The constant that the call comes to, if torch computes it before it inlines.
std::optional<Typed> BodyLowering::folded(const OperatorCall &call)
{
    if (!isOptimized() || !call.named.empty())
        return std::nullopt;
    auto constant = constantFor(call);
    m_nesting.hasFolded |= constant.has_value();
    if (!constant)
        return std::nullopt;
    Typed computed = constantOf(std::move(*constant));
    for (const Typed &argument : call.positional)
        computed.level = std::min(computed.level, levelOf(argument));
    if (computed.level < 2)
        computed.constant = Typed::Constant::Computed;
    return computed;
}

std::optional<ir::Operand> BodyLowering::constantFor(const OperatorCall &call) const
{
    const ir::Context &context = *m_lowering.model.context;
    if (auto rank =
            call.name == "dim" && call.positional.size() == 1 ? convolutionRank(call.positional[0]) : std::nullopt)
        return *rank;
    const bool isIdentity = call.dialect == "aten" && (call.name == "__is__" || call.name == "__isnot__");
    if (isIdentity && call.positional.size() == 2) {
        const auto a = isNone(context, call.positional[0]);
        const auto b = isNone(context, call.positional[1]);
        if (a && b && (*a || *b))
            return (*a == *b) == (call.name == "__is__");
    }
    return fold(context, call.dialect, call.name, call.positional);
}

/// What a convolution that is inlined too gives: torch looks for it to fuse batch norms.
std::optional<std::int64_t> BodyLowering::convolutionRank(const Typed &tensor) const
{
    const auto made = ir::valueOf(m_writer.graph, &tensor.operand).and_then(&ir::ValueRef::producer);
    if (!made || m_nesting.starts.size() < 2 || made->id() < m_nesting.starts[1])
        return std::nullopt;
    for (const auto &[convolution, rank] : {std::pair("conv1d", 3), {"conv2d", 4}, {"conv3d", 5}})
        if (made->opName() == convolution)
            return rank;
    return std::nullopt;
}

/// The innermost function being inlined that knows the value.
std::uint32_t BodyLowering::levelOf(const Typed &value) const
{
    if (value.constant != Typed::Constant::No)
        return value.level;
    const auto made = ir::valueOf(m_writer.graph, &value.operand).and_then(&ir::ValueRef::producer);
    std::uint32_t level = value.level;
    while (made && level + 1 < m_nesting.starts.size() && m_nesting.starts[level + 1] <= made->id())
        ++level;
    return level;
}

Typed BodyLowering::constantOf(ir::Operand operand)
{
    const ir::TypeId type = m_lowering.types.ofConstant(m_lowering.model, operand);
    return {std::move(operand), type, type, Typed::Constant::Written, level()};
}

/// As many results as there are hints.
std::vector<Typed> BodyLowering::emitOperation(OperatorCall call, Place place, std::span<const std::string_view> hints)
{
    if (auto constant = hints.size() == 1 ? folded(call) : std::nullopt)
        return {std::move(*constant)};
    if (!m_lowering.operators.isDefined(call.dialect, call.name))
        m_lowering.noteOnce(ir::Severity::Warning, "torchscript.operator",
                            sanitized(call.dialect) + "::" + sanitized(call.name)
                                + " is an operator that Cutaway does not know: the types of its results are not known");
    ResolvedCall resolved = m_lowering.operators.resolve(std::move(call));
    if (!resolved.isKnown)
        resolved.results.resize(hints.size());
    const ir::NodeId node = m_writer.append(at(place), resolved.op, std::move(resolved.arguments));
    std::vector<Typed> results;
    for (std::size_t i = 0; i < resolved.results.size(); ++i)
        results.push_back(m_writer.addResult(node, resolved.results[i], i < hints.size() ? hints[i] : ""));
    if (results.size() < hints.size() && results.size() == 1 && hints.size() > 1)
        return unpacked(std::move(results.front()), hints, place);
    results.resize(hints.size(), Typed{ir::None{}, none()});
    return results;
}

} // namespace cutaway::formats::torchscript
