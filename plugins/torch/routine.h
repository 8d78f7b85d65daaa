// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <functional>
#include <variant>
#include <vector>

/// A function of a model, compiled to run in torch: for each node, the operator and the sources of its arguments.
namespace cutaway::plugins {

class Run;
struct MadeValue;
struct Routine;

using Values = std::vector<c10::IValue>;
using Stack = torch::jit::Stack;
/// A value of the graph, whose place in a call's frame is given by its id.
using Slot = ir::ValueId;

/// The source of an argument: a constant, a value of the frame, or a list, tuple or dictionary of these.
using Source = std::variant<c10::IValue, Slot, std::shared_ptr<const MadeValue>>;

/// The type that torch wants for an argument; nullptr for any.
struct Wanted {
    c10::TypePtr type;
    std::optional<std::int32_t> length; ///< the length of a list that a single number may stand for
};
struct Argument {
    Source source;
    Wanted wanted;
};

/// A list, tuple or dictionary that is made anew each time; items of a dictionary are key, value, key, value, …
struct MadeValue {
    enum class Kind : std::uint8_t { List, Tuple, Dict };
    Kind kind = Kind::List;
    c10::TypePtr element; ///< the type of a list's items or of a dictionary's values
    c10::TypePtr key;     ///< the type of a dictionary's keys
    std::vector<Source> items;
};

/// A running call of a routine.
struct Frame {
    const Routine &routine;
    Values values;
};

/// Runs a node: pops its arguments off the stack and pushes its results. Throws torch's exceptions.
using Action = std::function<void(Run &, Frame &, Stack &)>;

/// A node that is ready to run.
struct Instruction {
    ir::NodeId node;
    Action action = {};
    std::vector<Argument> arguments = {};
    std::vector<Slot> results = {};
    bool isUnpacked = false;     ///< whether its single result is a list, whose items are the node's results
    bool isControl = false;      ///< whether it runs other nodes, whose times make up its own
    std::vector<Slot> dead = {}; ///< values that no later instruction of the block reads
};

/// The instructions of a region, in order.
struct Block {
    std::vector<Slot> inputs;
    std::vector<Instruction> instructions;
    std::vector<Argument> outputs;
};

/// A function that is ready to run.
struct Routine {
    ir::FunctionId function;
    Values weights;            ///< the initial contents of a frame
    std::vector<Block> blocks; ///< by region
};

} // namespace cutaway::plugins
