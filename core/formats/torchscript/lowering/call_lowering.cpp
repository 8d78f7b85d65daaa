// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/call_lowering.h"

#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/lowering/expression_lowering.h"
#include "core/formats/torchscript/lowering/folding.h"
#include "core/formats/torchscript/lowering/statement_lowering.h"
#include "core/formats/torchscript/optimizing/dead_code.h"
#include "core/formats/torchscript/optimizing/peephole.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

/// Builtin functions of the language that are operators: `int(x)`.
constexpr std::array<std::pair<std::string_view, OperatorName>, 9> builtins{{
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

/// Returns the device of a text such as "cuda:1".
ir::Device deviceNamed(ir::Context &context, std::string_view text)
{
    ir::Device device{context.name(text.substr(0, text.find(':'))), {}};
    if (const std::size_t colon = text.find(':'); colon != text.npos) {
        int index = 0;
        const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), index);
        if (error == std::errc() && end == text.data() + text.size())
            device.index = index;
    }
    return device;
}

} // namespace

Term CallLowering::lower(const Call &call, Position position, std::string_view hint)
{
    const Tree &tree = m_frame.tree();
    const auto dotted = dottedName(tree, call.callee);
    if (const auto *name = std::get_if<Name>(&tree.at(call.callee).kind); name && !isLocal(name->text))
        return builtin(name->text, call, position, hint);
    if (dotted && dotted->contains('.') && !isLocal(*dotted))
        return global(*dotted, call, position, hint);
    if (const auto *attribute = std::get_if<Attribute>(&tree.at(call.callee).kind))
        return method(*attribute, call, position, hint);
    const Term callee = m_expressions.term(call.callee);
    if (const auto *definition = std::get_if<FunctionTerm>(&callee))
        return function({**definition, m_frame.call.scope}, arguments(call), position, hint);
    return m_frame.unknown("what is called is not a function", position);
}

/// Whether a name begins, up to its first dot, with a local name that has a value.
bool CallLowering::isLocal(std::string_view dotted) const
{
    return m_frame.names.contains(dotted.substr(0, dotted.find('.')));
}

OperatorCall CallLowering::operatorCall(const OperatorName &op, const Call &call)
{
    OperatorCall made{op.dialect, op.name, {}, {}};
    for (const Argument &argument : call.arguments) {
        if (argument.keyword.empty())
            made.positional.push_back(m_expressions.value(argument.value));
        else
            made.named.push_back({argument.keyword, m_expressions.value(argument.value)});
    }
    return made;
}

std::vector<Typed> CallLowering::lowerOperator(const Call &call, Position position,
                                               std::span<const std::string_view> hints)
{
    const auto dotted = dottedName(m_frame.tree(), call.callee);
    const auto op = dotted && !isLocal(*dotted) ? operatorNamed(*dotted) : std::nullopt;
    return op ? m_operators.lower(operatorCall(*op, call), position, hints) : std::vector<Typed>();
}

CallLowering::Arguments CallLowering::arguments(const Call &call)
{
    Arguments arguments;
    for (const Argument &argument : call.arguments) {
        if (argument.keyword.empty())
            arguments.positional.push_back(m_expressions.term(argument.value));
        else
            arguments.named.emplace_back(argument.keyword, m_expressions.term(argument.value));
    }
    return arguments;
}

Term CallLowering::global(std::string_view dotted, const Call &call, Position position, std::string_view hint)
{
    ArchiveLowering &archive = m_graph.archive;
    if (dotted == "torch.device" && call.arguments.size() == 1) {
        const Typed text = m_expressions.value(call.arguments[0].value);
        if (const auto *name = text.operand.as<ir::String>(); name && text.constant != Typed::Constant::No)
            return Typed{deviceNamed(archive.context(), archive.context().text(name->text)),
                         archive.types.plain(ir::PlainType::Kind::Device)};
    }
    if (const auto op = operatorNamed(dotted))
        return m_operators.lower(operatorCall(*op, call), position, hint);
    if (const FunctionDefinition *free = archive.code.findFunction(dotted); free && !free->owner)
        return function({*free, m_frame.call.scope}, arguments(call), position, hint);
    if (dotted.ends_with(".__new__"))
        return m_builder.emit(m_frame.origin(position), "CreateObject", {},
                              archive.types.ofClass(dotted.substr(0, dotted.size() - 8)), hint);
    const ClassDefinition *named = archive.code.findClass(dotted);
    if (named && named->syntax->kind == Class::Kind::NamedTuple) {
        ir::List items{{}, ir::List::Kind::Tuple};
        for (const Argument &argument : call.arguments)
            items.items.push_back(m_expressions.value(argument.value).operand);
        return Typed{std::move(items), archive.types.ofClass(dotted)};
    }
    return m_frame.unknown("the function \"" + sanitized(dotted) + "\" is not in this archive", position);
}

Term CallLowering::builtin(std::string_view name, const Call &call, Position position, std::string_view hint)
{
    if (name == "fork" || name == "awaitable")
        return fork(name, call, position, hint);
    const auto known = std::ranges::find(builtins, name, &decltype(builtins)::value_type::first);
    if (known == builtins.end())
        return m_frame.unknown("the function \"" + sanitized(name) + "\" is not defined", position);
    return m_operators.lower(operatorCall(known->second, call), position, hint);
}

/// Lowers a fork to a region that runs in parallel. The region reads values of the function around it directly.
Term CallLowering::fork(std::string_view operation, const Call &call, Position position, std::string_view hint)
{
    const Term body = call.arguments.empty() ? Term(Typed{}) : m_expressions.term(call.arguments[0].value);
    const auto *local = std::get_if<LocalTerm>(&body);
    if (!local)
        return m_frame.unknown("what is forked is not a function of this one", position);
    const ir::NodeId node = m_builder.append(m_frame.origin(position), operation, {});
    const ir::RegionId region = m_builder.addRegion(node, "body");
    Typed result;
    {
        const GraphBuilder::InRegion inRegion(m_builder, region);
        const Environment::Scope scope(m_frame.names);
        result = m_expressions.asValue(StatementLowering(m_graph, m_frame).run((*local)->body));
    }
    m_builder.graph.setOutputs(region, {std::move(result.operand)});
    const auto kind = operation == "fork" ? ir::CompoundType::Kind::Future : ir::CompoundType::Kind::Await;
    return m_builder.addResult(node, m_graph.archive.types.compound(kind, {result.type}), hint);
}

Term CallLowering::method(const Attribute &callee, const Call &call, Position position, std::string_view hint)
{
    const Term object = m_expressions.term(callee.object);
    Arguments all = arguments(call);
    all.positional.insert(all.positional.begin(), object);
    if (const auto *module = std::get_if<ModuleTerm>(&object)) {
        const ClassDefinition *definition = m_graph.archive.objects.at(module->instance).definition;
        const FunctionDefinition *method = definition ? definition->method(callee.name) : nullptr;
        if (!method || module->interface)
            return kept(method, callee.name, std::move(all), position, hint);
        return function({*method, m_builder.enter(m_frame.call.scope, module->path)}, std::move(all), position, hint);
    }
    const auto *self = std::get_if<Typed>(&object);
    if (!self)
        return m_frame.unknown("a function has no methods", position);
    if (callee.name == "tolist" && ir::tensorType(m_graph.archive.context(), self->type))
        return m_builder.emit(m_frame.origin(position), "tolist", {m_builder.argument("", self->operand)}, {}, hint);
    const ClassDefinition *definition = m_graph.archive.classOf(self->type);
    const FunctionDefinition *method = definition ? definition->method(callee.name) : nullptr;
    if (!method || definition->isInterface())
        return kept(method, callee.name, std::move(all), position, hint);
    return function({*method, m_frame.call.scope}, std::move(all), position, hint);
}

bool CallLowering::mayInline(const FunctionDefinition &function) const
{
    return m_graph.calls == GraphLowering::Calls::Inlined && m_graph.depth < limits::maxCallDepth
        && m_builder.graph.nodeCount() < limits::maxInlinedNodes && !m_graph.stack.contains(function);
}

Term CallLowering::function(const Callee &callee, Arguments arguments, Position position, std::string_view hint)
{
    const FunctionDefinition &function = callee.function;
    if (mayInline(function))
        return inlined(callee, std::move(arguments), position);
    if (m_graph.calls == GraphLowering::Calls::Inlined) {
        if (m_graph.stack.contains(function))
            unusable(sanitized(function.name) + " calls itself, which TorchScript cannot", m_frame.describe(position));
        m_graph.archive.noteOnce(ir::Severity::Warning, "torchscript.inlining",
                                 "calls of " + sanitized(function.name) + " stay calls: there is too much to inline");
    }
    return kept(&function, function.syntax->name, std::move(arguments), position, hint);
}

Term CallLowering::inlined(const Callee &callee, Arguments arguments, Position position)
{
    const FunctionDefinition &function = callee.function;
    Frame frame(m_graph.archive, function, {callee.scope, m_frame.origin(position).location});
    bindParameters(frame, std::move(arguments), position);
    bindDefaults(frame);
    const ir::NodeId first{m_builder.graph.nodeCount()};
    m_graph.stack.push(function, first);
    Term result = StatementLowering(m_graph, frame).run(function.syntax->body);
    auto *value = std::get_if<Typed>(&result);
    CallStack::Changes &changes = m_graph.stack.changes(m_graph.stack.level());
    ir::Operand none;
    const CallStack::Changes late =
        Peephole(m_builder, m_graph.stack.level(), first, value ? value->operand : none, m_graph.archive.operators)
            .run();
    changes.byPeephole |= late.byPeephole;
    changes.byConstants |= late.byConstants;
    if (changes.byPeephole || changes.byConstants)
        removeDeadCode(m_builder.graph, m_builder.region(), first, value ? value->operand : ir::Operand(),
                       m_graph.archive.operators, changes.byConstants ? UnreadWrites::Go : UnreadWrites::Stay);
    m_graph.stack.pop();
    if (value) {
        if (function.syntax->result)
            value->type = frame.typeOf(*function.syntax->result);
        value->level = std::min(value->level, m_graph.stack.level());
        if (const auto *made = value->operand.as<ir::ValueId>())
            value->seen = m_builder.graph.at(*made).type;
    }
    return result;
}

void CallLowering::bindParameters(Frame &frame, Arguments arguments, Position position)
{
    const auto &parameters = frame.function.syntax->parameters;
    for (std::size_t i = 0; i < arguments.positional.size() && i < parameters.size(); ++i)
        bindParameter(frame, parameters[i], std::move(arguments.positional[i]), position);
    for (auto &[name, term] : arguments.named)
        if (const auto parameter = std::ranges::find(parameters, name, &Parameter::name); parameter != parameters.end())
            bindParameter(frame, *parameter, std::move(term), position);
}

void CallLowering::bindParameter(Frame &frame, const Parameter &parameter, Term term, Position position)
{
    if (auto *value = std::get_if<Typed>(&term)) {
        if (parameter.type)
            value->type = frame.typeOf(*parameter.type);
        if (m_graph.stack.level() == 0) { // functions that are called by the root do not know the root's constants
            value->seen = value->type;
            value->constant = Typed::Constant::No;
        } else if (value->constant == Typed::Constant::No
                   && isNone(m_graph.archive.context(), {value->operand, value->type})) {
            value->level = m_graph.stack.level() + 1; // the parameter's own type already says that it is None
        }
        m_operators.fixList(*value, frame.facts, parameter.name, position);
    }
    frame.names.assign(parameter.name, std::move(term));
}

/// Gives parameters without an argument their defaults.
void CallLowering::bindDefaults(Frame &frame)
{
    ExpressionLowering expressions(m_graph, frame);
    for (const Parameter &parameter : frame.function.syntax->parameters) {
        if (frame.names.contains(parameter.name))
            continue;
        Typed value = parameter.value ? expressions.value(*parameter.value) : Typed{};
        if (!parameter.value)
            frame.unknown("the parameter \"" + std::string(parameter.name) + "\" is given no value",
                          parameter.position);
        if (parameter.type)
            value.type = frame.typeOf(*parameter.type);
        frame.names.assign(parameter.name, std::move(value));
    }
}

/// Adds a prim::CallMethod or prim::CallFunction with the callee and the arguments.
Term CallLowering::kept(const FunctionDefinition *function, std::string_view name, Arguments passed, Position position,
                        std::string_view hint)
{
    const auto &ids = m_graph.archive.functionIds;
    const bool isMethod = !function || function->owner;
    std::vector<ir::Argument> arguments;
    if (isMethod)
        arguments.push_back(m_builder.argument("method", m_builder.text(name)));
    if (const auto id = ids.find(function); id != ids.end())
        arguments.push_back(m_builder.argument("function", id->second));
    for (std::size_t i = 0; i < passed.positional.size(); ++i)
        arguments.push_back(m_builder.argument(isMethod && i == 0 ? "self" : "",
                                               m_expressions.asValue(std::move(passed.positional[i])).operand));
    for (auto &[keyword, term] : passed.named)
        arguments.push_back(m_builder.argument(keyword, m_expressions.asValue(std::move(term)).operand));
    const ir::TypeId type = function ? m_graph.archive.resultType(*function) : ir::TypeId{};
    return m_builder.emit(m_frame.origin(position), isMethod ? "CallMethod" : "CallFunction", std::move(arguments),
                          type, hint.empty() ? name : hint);
}

} // namespace cutaway::formats::torchscript
