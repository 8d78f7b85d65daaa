// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/lowering.h"

#include "core/base/formatted.h"
#include "core/formats/torchscript/literal_values.h"
#include "core/formats/torchscript/lowering/call_lowering.h"
#include "core/formats/torchscript/lowering/number_constants.h"
#include "core/formats/torchscript/lowering/statement_lowering.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <optional>
#include <ranges>

namespace cutaway::formats::torchscript {

namespace {

using Definitions = std::vector<const FunctionDefinition *>;

/// Collects the methods that `start` calls on its own module, and those that these call.
void collectCalled(ArchiveLowering &archive, const FunctionDefinition &start, Definitions &called)
{
    Definitions open{&start};
    while (!open.empty()) {
        const FunctionDefinition *function = open.back();
        open.pop_back();
        for (const std::string_view name : archive.facts(*function).selfCalls()) {
            const FunctionDefinition *method = function->owner->method(name);
            if (method && !std::ranges::contains(called, method)) {
                called.push_back(method);
                open.push_back(method);
            }
        }
    }
}

/// Returns the methods of the root that get a graph of their own: forward, and those that none of these calls.
Definitions entryPoints(ArchiveLowering &archive)
{
    const auto &instances = archive.objects.instances;
    const ClassDefinition *root = instances.empty() ? nullptr : instances.front().definition;
    if (!root)
        return {};
    Definitions candidates = root->methods;
    std::ranges::stable_partition(candidates, [](const auto *method) { return method->syntax->name == "forward"; });
    Definitions called;
    std::erase_if(candidates, [&](const FunctionDefinition *method) {
        const std::string_view name = method->syntax->name;
        return name.starts_with("__") && name.ends_with("__");
    });
    for (const FunctionDefinition *method : candidates)
        if (!std::ranges::contains(called, method))
            collectCalled(archive, *method, called);
    std::erase_if(candidates, [&](const FunctionDefinition *method) {
        return method->syntax->name != "forward" && std::ranges::contains(called, method);
    });
    return candidates;
}

/// Makes a function of the model from a function of the code.
class FunctionLowering {
public:
    FunctionLowering(ArchiveLowering &archive, const FunctionDefinition &definition, GraphLowering::Calls calls)
        : m_context(archive.context()),
          m_graph(archive, definition, calls),
          m_builder(m_graph.builder),
          m_frame(archive, definition, {})
    {
    }

    ir::Function run(std::string_view name, ir::Function::Kind kind)
    {
        const FunctionDefinition &definition = m_frame.function;
        const auto &parameters = definition.syntax->parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const bool isSelf = definition.owner && i == 0;
            if (isSelf && m_graph.calls == GraphLowering::Calls::Inlined)
                m_frame.names.assign(parameters[i].name, ModuleTerm{InstanceId{0}, ""});
            else
                addParameter(parameters[i], isSelf);
        }
        const bool isCall = m_graph.calls == GraphLowering::Calls::Inlined && definition.owner && !parameters.empty()
            && definition.syntax->name == "forward" && (!preHooks().empty() || !postHooks().empty());
        const Term result =
            isCall ? calledWithHooks() : StatementLowering(m_graph, m_frame).run(definition.syntax->body);
        if (m_builder.hasRoot())
            addInput(ir::FunctionInput::Kind::CustomObject, m_builder.root());
        addOutputs(ExpressionLowering(m_graph, m_frame).asValue(result));
        m_builder.graph.setOutputs(ir::Graph::body, m_results);
        return {.name = m_context.name(name),
                .kind = kind,
                .graph = std::move(m_builder.graph),
                .inputs = std::move(m_inputs),
                .outputs = std::move(m_outputs),
                .attributes = {},
                .documentation = {}};
    }

private:
    // ---- hooks that a call of the outermost module runs; hooks of an inner module are in the code that calls it

    /// Returns the methods whose names a list in the class contains; none if the class has no such list.
    Definitions methodsNamed(const std::optional<std::vector<std::string_view>> &names) const
    {
        Definitions methods;
        for (const std::string_view name : names.value_or(std::vector<std::string_view>()))
            if (const FunctionDefinition *method = m_frame.function.owner->method(name))
                methods.push_back(method);
        return methods;
    }

    Definitions preHooks() const { return methodsNamed(m_frame.function.owner->syntax->forwardPreHooks); }
    Definitions postHooks() const { return methodsNamed(m_frame.function.owner->syntax->forwardHooks); }

    Typed value(const Term &term) { return ExpressionLowering(m_graph, m_frame).asValue(term); }

    Term callOf(const FunctionDefinition &method, std::vector<Typed> arguments)
    {
        std::vector<Term> all{*m_frame.names.find(m_frame.function.syntax->parameters.front().name)};
        all.insert(all.end(), arguments.begin(), arguments.end());
        ExpressionLowering expressions(m_graph, m_frame);
        return CallLowering(m_graph, m_frame, expressions).inlined(method, std::move(all), position());
    }

    Position position() const { return m_frame.function.syntax->position; }

    Typed tupleOf(const std::vector<Typed> &items)
    {
        ir::List tuple{{}, ir::List::Kind::Tuple};
        std::vector<ir::TypeId> types;
        for (const Typed &item : items) {
            tuple.items.push_back(item.operand);
            types.push_back(item.type);
        }
        return {std::move(tuple), m_graph.archive.types.compound(ir::CompoundType::Kind::Tuple, std::move(types))};
    }

    const ir::CompoundType *compound(const Typed &value) const
    {
        return std::get_if<ir::CompoundType>(&m_context.at(value.type));
    }

    /// Returns the result of a hook; nothing if it is None. If that is only known when the hook runs, adds a note and
    /// returns an unknown value.
    std::optional<Typed> givenBy(const FunctionDefinition &hook, std::vector<Typed> arguments)
    {
        Typed given = value(callOf(hook, std::move(arguments)));
        if (given.operand.as<ir::None>() || given.type == m_graph.archive.none())
            return std::nullopt;
        const auto *type = compound(given);
        if (type && type->kind == ir::CompoundType::Kind::Optional)
            return std::get<Typed>(m_frame.unknown(
                formatted("whether the hook \"{}\" gives a value is known only when it runs", hook.syntax->name),
                position()));
        return given;
    }

    Term calledWithHooks()
    {
        m_graph.archive.noteHooks();
        std::vector<Typed> arguments;
        for (const Parameter &parameter : m_frame.function.syntax->parameters | std::views::drop(1))
            arguments.push_back(value(*m_frame.names.find(parameter.name)));
        for (const FunctionDefinition *hook : preHooks()) {
            auto given = givenBy(*hook, {tupleOf(arguments)});
            if (!given)
                continue;
            const auto *type = compound(*given);
            const bool isTuple = type && type->kind == ir::CompoundType::Kind::Tuple;
            const std::vector<std::string_view> hints(isTuple ? type->elements.size() : 0);
            arguments = isTuple ? OperatorLowering(m_graph, m_frame).unpack(std::move(*given), hints, position())
                                : std::vector<Typed>{std::move(*given)};
        }
        Typed result = value(callOf(m_frame.function, arguments));
        for (const FunctionDefinition *hook : postHooks())
            if (auto given = givenBy(*hook, {tupleOf(arguments), result}))
                result = std::move(*given);
        return result;
    }

    void addParameter(const Parameter &parameter, bool isSelf)
    {
        ir::TypeId type = parameter.type ? m_frame.typeOf(*parameter.type) : ir::TypeId{};
        if (isSelf && !parameter.type)
            type = m_graph.archive.types.ofClass(m_frame.function.owner->name);
        const Typed input = m_builder.addInput(ir::Graph::body, type, parameter.name);
        addInput(isSelf ? ir::FunctionInput::Kind::CustomObject : ir::FunctionInput::Kind::User, input);
        if (parameter.value)
            m_inputs.back().defaultValue = literalValue(m_context, m_frame.tree(), *parameter.value);
        m_frame.names.assign(parameter.name, input);
    }

    void addInput(ir::FunctionInput::Kind kind, const Typed &input)
    {
        ir::FunctionInput &added = m_inputs.emplace_back();
        added.name = m_builder.graph.at(*input.operand.as<ir::ValueId>()).name;
        added.kind = kind;
        added.value = input.operand;
    }

    /// Adds an output for each leaf of nested tuples.
    void addOutputs(const Typed &value)
    {
        const auto *tuple = std::get_if<ir::CompoundType>(&m_context.at(value.type));
        if (!tuple || tuple->kind != ir::CompoundType::Kind::Tuple)
            return addOutput(value);
        const std::vector<std::string_view> hints(tuple->elements.size());
        OperatorLowering operators(m_graph, m_frame);
        for (const Typed &item : operators.unpack(value, hints, m_frame.function.syntax->position))
            addOutputs(item);
    }

    void addOutput(const Typed &value)
    {
        ir::FunctionOutput &output = m_outputs.emplace_back();
        const auto *made = value.operand.as<ir::ValueId>();
        output.name =
            made ? m_builder.graph.at(*made).name : m_context.name("output_" + std::to_string(m_outputs.size() - 1));
        output.value = value.operand;
        m_results.push_back(value.operand);
    }

    ir::Context &m_context;
    GraphLowering m_graph;
    GraphBuilder &m_builder;
    Frame m_frame;
    std::vector<ir::FunctionInput> m_inputs;
    std::vector<ir::FunctionOutput> m_outputs;
    std::vector<ir::Operand> m_results;
};

bool hasBody(const FunctionDefinition &definition) { return !definition.owner || !definition.owner->isInterface(); }

void lowerFunctions(ArchiveLowering &archive)
{
    using Calls = GraphLowering::Calls;
    using Kind = ir::Function::Kind;
    ir::Model &model = archive.model;
    const Definitions entries = entryPoints(archive);
    auto next = static_cast<std::uint32_t>(model.functions.size() + entries.size());
    for (const auto &function : archive.code.functions())
        if (hasBody(*function))
            archive.functionIds.emplace(function.get(), ir::FunctionId{next++});
    for (const FunctionDefinition *entry : entries) {
        const Kind kind = model.functions.empty() ? Kind::Main : Kind::Method;
        model.functions.push_back(FunctionLowering(archive, *entry, Calls::Inlined).run(entry->syntax->name, kind));
    }
    for (const auto &function : archive.code.functions()) {
        if (!hasBody(*function))
            continue;
        const Kind kind = function->owner ? Kind::Method : Kind::Free;
        model.functions.push_back(FunctionLowering(archive, *function, Calls::Kept).run(function->name, kind));
    }
}

} // namespace

Result<void> lowerCode(ir::Model &model, std::optional<int> version, const Code &code, const Objects &objects,
                       Types &types, Notes &notes, const Task &task)
{
    return resultOf([&] {
        ArchiveLowering archive(model, version, code, objects, types, notes, task);
        lowerFunctions(archive);
        useConstantsAsNumbers(model, objects.constants);
    });
}

} // namespace cutaway::formats::torchscript
