// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering.h"

#include "core/formats/torchscript/body_lowering.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

using Definitions = std::vector<const FunctionDefinition *>;

/// The methods that `start` calls on its own module, and those that they call.
void collectCalled(Lowering &lowering, const FunctionDefinition &start, Definitions &called)
{
    Definitions open{&start};
    while (!open.empty()) {
        const FunctionDefinition *function = open.back();
        open.pop_back();
        for (const std::string_view name : lowering.facts(*function).selfCalls()) {
            const FunctionDefinition *method = function->owner->method(name);
            if (method && !std::ranges::contains(called, method)) {
                called.push_back(method);
                open.push_back(method);
            }
        }
    }
}

/// The methods of the root that are worth a graph of their own: forward, and those that none of these calls.
Definitions entryPoints(Lowering &lowering)
{
    const auto &instances = lowering.objects.instances;
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
            collectCalled(lowering, *method, called);
    std::erase_if(candidates, [&](const FunctionDefinition *method) {
        return method->syntax->name != "forward" && std::ranges::contains(called, method);
    });
    return candidates;
}

/// One function of the model from one of the code.
class FunctionLowering {
public:
    FunctionLowering(Lowering &lowering, const FunctionDefinition &definition, Nesting::Calls calls)
        : m_lowering(lowering),
          m_definition(definition),
          m_nesting{.calls = calls, .open = {&definition}},
          m_writer(lowering.model, lowering.objects, lowering.types),
          m_body(lowering, m_writer, m_nesting, definition, {ir::Graph::body, {}, {}})
    {
    }

    ir::Function run(std::string_view name, ir::Function::Kind kind)
    {
        const bool isRoot = m_nesting.calls == Nesting::Calls::Inlined;
        const auto &parameters = m_definition.syntax->parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (m_definition.owner && i == 0 && isRoot)
                m_body.bind(parameters[i].name, ModuleTerm{InstanceId{0}, ""});
            else
                addParameter(parameters[i], m_definition.owner && i == 0);
        }
        const Term result = m_body.run();
        if (m_writer.hasRoot())
            addInput(ir::FunctionInput::Kind::CustomObject, m_writer.root());
        addOutputs(m_body.asValue(result));
        m_writer.graph.setOutputs(ir::Graph::body, m_results);
        return {.name = m_lowering.model.context->name(name),
                .kind = kind,
                .graph = std::move(m_writer.graph),
                .inputs = std::move(m_inputs),
                .outputs = std::move(m_outputs),
                .attributes = {},
                .documentation = {}};
    }

private:
    void addParameter(const Parameter &parameter, bool isSelf)
    {
        ir::TypeId type = parameter.type ? m_body.typeOf(*parameter.type) : ir::TypeId{};
        if (isSelf && !parameter.type)
            type = m_lowering.types.ofClass(m_definition.owner->name);
        const Typed input = m_writer.addInput(ir::Graph::body, type, parameter.name);
        addInput(isSelf ? ir::FunctionInput::Kind::CustomObject : ir::FunctionInput::Kind::User, input);
        m_body.bind(parameter.name, input);
    }

    void addInput(ir::FunctionInput::Kind kind, const Typed &input)
    {
        ir::FunctionInput &added = m_inputs.emplace_back();
        added.name = m_writer.graph.at(*input.operand.as<ir::ValueId>()).name;
        added.kind = kind;
        added.value = input.operand;
    }

    /// Tuples are opened: an entry per leaf.
    void addOutputs(const Typed &value)
    {
        const ir::Context &context = *m_lowering.model.context;
        const auto *tuple = std::get_if<ir::CompoundType>(&context.at(value.type));
        if (!tuple || tuple->kind != ir::CompoundType::Kind::Tuple)
            return addOutput(value);
        const std::vector<std::string_view> hints(tuple->elements.size());
        for (const Typed &item : m_body.unpacked(value, hints, m_definition.syntax->place))
            addOutputs(item);
    }

    void addOutput(const Typed &value)
    {
        ir::FunctionOutput &output = m_outputs.emplace_back();
        const auto *made = value.operand.as<ir::ValueId>();
        output.name = made ? m_writer.graph.at(*made).name
                           : m_lowering.model.context->name("output_" + std::to_string(m_outputs.size() - 1));
        output.value = value.operand;
        m_results.push_back(value.operand);
    }

    Lowering &m_lowering;
    const FunctionDefinition &m_definition;
    Nesting m_nesting;
    GraphWriter m_writer;
    BodyLowering m_body;
    std::vector<ir::FunctionInput> m_inputs;
    std::vector<ir::FunctionOutput> m_outputs;
    std::vector<ir::Operand> m_results;
};

bool isBodiless(const FunctionDefinition &definition)
{
    using enum Class::Kind;
    return definition.owner
        && (definition.owner->syntax->kind == Interface || definition.owner->syntax->kind == ModuleInterface);
}

} // namespace

Result<void> lowerCode(ir::Model &model, const Code &code, const Objects &objects, Types &types, Notes &notes,
                       const Task &task)
{
    Lowering lowering(model, code, objects, types, notes, task);
    const Definitions entries = entryPoints(lowering);
    auto next = static_cast<std::uint32_t>(model.functions.size() + entries.size());
    for (const auto &function : code.functions())
        if (!isBodiless(*function))
            lowering.functionIds.emplace(function.get(), ir::FunctionId{next++});
    for (const FunctionDefinition *entry : entries) {
        const bool isMain = model.functions.empty();
        model.functions.push_back(
            FunctionLowering(lowering, *entry, Nesting::Calls::Inlined)
                .run(entry->syntax->name, isMain ? ir::Function::Kind::Main : ir::Function::Kind::Method));
    }
    if (lowering.fault)
        return std::unexpected(*lowering.fault);
    for (const auto &function : code.functions()) {
        if (task.stopRequested())
            return cancelled();
        if (isBodiless(*function))
            continue;
        const bool isFree = !function->owner;
        model.functions.push_back(
            FunctionLowering(lowering, *function, Nesting::Calls::Kept)
                .run(function->name, isFree ? ir::Function::Kind::Free : ir::Function::Kind::Method));
    }
    return {};
}

} // namespace cutaway::formats::torchscript
