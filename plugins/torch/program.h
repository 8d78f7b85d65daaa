// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

/// A function of a model made ready to run in torch: each node is an operator that was looked up and the places its
/// arguments come from.
namespace cutaway::plugins {

class Run;
class Weights;
struct MadeValue;
struct Routine;

using Values = std::vector<c10::IValue>;
using Stack = torch::jit::Stack;
/// A value of the graph in the frame of a call, by its id.
using Slot = ir::ValueId;

/// Where an argument comes from: a constant, a value of the frame, or a list, tuple or dictionary of these.
using Source = std::variant<c10::IValue, Slot, std::shared_ptr<const MadeValue>>;

/// What torch wants to have for an argument: nothing where anything will do.
struct Wanted {
    c10::TypePtr type;
    std::optional<std::int32_t> length; ///< of a list, where one number stands for as many
};
struct Argument {
    Source source;
    Wanted wanted;
};

/// A list, tuple or dictionary that is made each time; items of a dictionary are key, value, key, value, …
struct MadeValue {
    enum class Kind : std::uint8_t { List, Tuple, Dict };
    Kind kind = Kind::List;
    c10::TypePtr element; ///< of a list, or of the values of a dictionary
    c10::TypePtr key;     ///< of a dictionary
    std::vector<Source> items;
};

/// A call of a routine on its way.
struct Frame {
    const Routine &routine;
    Values values;
};

/// What a node does: takes the arguments off the stack and leaves the results there. Throws what torch throws.
using Action = std::function<void(Run &, Frame &, Stack &)>;

struct Instruction {
    ir::NodeId node;
    Action action = {};
    std::vector<Argument> arguments = {};
    std::vector<Slot> results = {};
    bool isUnpacked = false;     ///< the one result is a list whose items are the node's
    bool isControl = false;      ///< its time is that of what it runs
    std::vector<Slot> dead = {}; ///< values that nobody reads behind it
};

struct Block {
    std::vector<Slot> inputs;
    std::vector<Instruction> instructions;
    std::vector<Argument> outputs;
};

struct Routine {
    ir::FunctionId function;
    Values weights;            ///< a frame to begin with
    std::vector<Block> blocks; ///< by region
};

/// The functions of a model that the main one reaches.
class Program {
public:
    /// Errors: Backend, all operators that torch does not have in one list; of weights that cannot be read.
    static Result<std::unique_ptr<Program>> make(ir::Model model, ir::FunctionId main, c10::Device device);
    /// A model to look at, with its weights and constants: it has no routines and cannot be run.
    static std::unique_ptr<Program> unmade(ir::Model model, ir::FunctionId main);
    ~Program();

    const ir::Model &model() const { return m_model; }
    const ir::Function &main() const { return m_model.at(m_main); }
    c10::Device device() const { return m_device; }
    Weights &weights() const { return *m_weights; }
    const Routine &routine(ir::FunctionId id) const { return *m_routines[id.index]; }
    const Routine &mainRoutine() const { return routine(m_main); }

private:
    Program(ir::Model model, ir::FunctionId main, c10::Device device);
    Result<void> compileAll();

    ir::Model m_model;
    ir::FunctionId m_main;
    c10::Device m_device;
    std::unique_ptr<Weights> m_weights;
    std::vector<std::unique_ptr<Routine>> m_routines; ///< by function; nothing for those that nobody calls
};

/// A function by its name, "": the first.
std::optional<ir::FunctionId> functionOf(const ir::Model &model, const std::string &name);

} // namespace cutaway::plugins
