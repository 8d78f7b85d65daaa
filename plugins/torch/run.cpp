// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/run.h"

#include "core/ir/node_ref.h"
#include "plugins/torch/arguments.h"
#include "plugins/torch/objects.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

namespace cutaway::plugins {

namespace {

struct Stopped { };

constexpr std::uint32_t maxCallDepth = 500;

Error errorOf(const Program &program, std::optional<ir::NodeId> node, std::string what)
{
    Error error{ErrorKind::Backend, std::move(what), {}};
    if (node) {
        const ir::NodeRef at(program.main().graph, *node);
        error.where = at.fullName();
        if (!at.name().empty())
            error.where += " '" + std::string(at.name()) + "'";
        else if (at.outputCount() > 0)
            error.where += " '" + std::string(at.output(0).name()) + "'";
    }
    return error;
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

} // namespace

c10::IValue Run::moduleObject(ir::ModuleId module)
{
    auto &object = m_modules[module];
    if (object.isNone())
        object = c10::IValue::make_capsule(c10::make_intrusive<ScriptObject>(module));
    return object;
}

ScriptObject &Run::storedObject(ir::ObjectId id)
{
    const auto [found, isNew] = m_objects.try_emplace(id);
    if (isNew) {
        found->second = std::make_shared<ScriptObject>();
        found->second->fields = storedFields(m_program, id);
    }
    return *found->second;
}

void Run::execute(Frame &frame, const Instruction &instruction, Stack &stack)
{
    stack.clear();
    for (const Argument &argument : instruction.arguments)
        stack.push_back(valueOf(argument, frame));
    instruction.action(*this, frame, stack);
    if (instruction.isUnpacked && stack.size() == 1 && stack.front().isList()) {
        const Values items = stack.front().toListRef().vec();
        stack.assign(items.begin(), items.end());
    }
    for (std::size_t i = 0; i < instruction.results.size() && i < stack.size(); ++i)
        frame.values[instruction.results[i].index] = std::move(stack[i]);
    stack.clear();
    for (const Slot slot : instruction.dead)
        frame.values[slot.index] = {};
}

void Run::step(Frame &frame, const Instruction &instruction, Stack &stack)
{
    if (m_stop.stop_requested())
        throw Stopped();
    if (m_depth > 1 || instruction.isControl)
        return execute(frame, instruction, stack);
    m_last = instruction.node;
    if (!m_observer)
        return execute(frame, instruction, stack);
    m_observer->before(instruction.node);
    execute(frame, instruction, stack);
    m_observer->after(instruction.node);
}

Values Run::block(Frame &frame, ir::RegionId region, Values inputs)
{
    const Block &block = frame.routine.blocks[region.index];
    TORCH_CHECK(inputs.size() >= block.inputs.size(), "there are ", block.inputs.size(), " inputs and ", inputs.size(),
                " values for them");
    for (std::size_t i = 0; i < block.inputs.size(); ++i)
        frame.values[block.inputs[i].index] = std::move(inputs[i]);
    Stack stack;
    for (const Instruction &instruction : block.instructions)
        step(frame, instruction, stack);
    Values outputs;
    outputs.reserve(block.outputs.size());
    for (const Argument &output : block.outputs)
        outputs.push_back(valueOf(output, frame));
    return outputs;
}

Values Run::call(ir::FunctionId function, Values inputs)
{
    TORCH_CHECK(m_depth < maxCallDepth, "functions call each other more than ", maxCallDepth, " deep");
    ++m_depth;
    Frame frame{m_program.routine(function), m_program.routine(function).weights};
    Values outputs = block(frame, ir::Graph::body, std::move(inputs));
    --m_depth;
    return outputs;
}

Result<Values> Run::main(Values inputs)
{
    const at::NoGradGuard noGradients;
    m_last = {};
    m_depth = 0;
    m_modules.clear();
    m_objects.clear();
    try {
        return call(m_program.mainRoutine().function, std::move(inputs));
    } catch (const Stopped &) {
        return cancelled();
    } catch (const c10::Error &error) {
        return std::unexpected(errorOf(m_program, m_last, firstLine(error.what_without_backtrace())));
    } catch (const std::exception &error) {
        return std::unexpected(errorOf(m_program, m_last, firstLine(error.what())));
    }
}

} // namespace cutaway::plugins
