// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"

#include <map>

namespace cutaway::plugins {

struct ScriptObject;

/// Is told of each node of the main function as it runs; those in loops, of each turn.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void before(ir::NodeId node) = 0;
    virtual void after(ir::NodeId node) = 0;
};

/// One run of a program.
class Run {
public:
    Run(const Program &program, std::stop_token stop, Observer *observer = nullptr)
        : m_program(program),
          m_stop(std::move(stop)),
          m_observer(observer)
    {
    }

    const Program &program() const { return m_program; }

    /// What the function gives for these inputs of its body. Errors: Backend, the node and what torch says; Cancelled.
    Result<Values> main(Values inputs);

    /// For the actions of nodes, which throw.
    Values call(ir::FunctionId function, Values inputs);
    Values block(Frame &frame, ir::RegionId region, Values inputs);
    /// The module that the model is, or one within, as a value.
    c10::IValue moduleObject(ir::ModuleId module);
    /// What an object of the file holds now; in the beginning, what the file has.
    ScriptObject &storedObject(ir::ObjectId id);

private:
    void execute(Frame &frame, const Instruction &instruction, Stack &stack);
    void step(Frame &frame, const Instruction &instruction, Stack &stack);

    const Program &m_program;
    std::stop_token m_stop;
    Observer *m_observer;
    std::uint32_t m_depth = 0;        ///< of calls
    std::optional<ir::NodeId> m_last; ///< of the main function, that failed
    std::map<ir::ModuleId, c10::IValue> m_modules;
    std::map<ir::ObjectId, std::shared_ptr<ScriptObject>> m_objects;
};

} // namespace cutaway::plugins
