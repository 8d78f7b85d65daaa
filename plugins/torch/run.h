// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"

#include <map>
#include <stop_token>

namespace cutaway::plugins {

struct ScriptObject;

/// Is called for each node of the main function as it runs, except for nodes that run other nodes, such as loops. For
/// nodes in a loop it is called in each iteration.
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

    /// Runs the main function on the inputs of its body. Errors: Backend with the node and torch's message; Cancelled.
    Result<Values> main(Values inputs);

    /// Calls a function; for actions of nodes. Throws torch's exceptions.
    Values call(ir::FunctionId function, Values inputs);
    Values block(Frame &frame, ir::RegionId region, Values inputs);
    /// Returns the root module, or a module within it, as a value.
    c10::IValue moduleObject(ir::ModuleId module);
    /// Returns the current contents of an object of the file; at first they are those in the file.
    ScriptObject &storedObject(ir::ObjectId id);

private:
    void execute(Frame &frame, const Instruction &instruction, Stack &stack);
    void step(Frame &frame, const Instruction &instruction, Stack &stack);

    const Program &m_program;
    std::stop_token m_stop;
    Observer *m_observer;
    std::uint32_t m_depth = 0;        ///< the number of calls inside each other
    std::optional<ir::NodeId> m_last; ///< the main function's node that was started last, for errors
    std::map<ir::ModuleId, c10::IValue> m_modules;
    std::map<ir::ObjectId, std::shared_ptr<ScriptObject>> m_objects;
};

} // namespace cutaway::plugins
