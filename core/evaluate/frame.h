// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluate.h"

#include <map>

namespace cutaway::evaluate {

/// The state that all calls of one evaluation share.
struct Program {
    Program(const ir::Model &of, const Limits &limits)
        : model(of),
          evaluator(of, limits),
          nodesLeft(limits.nodes),
          stop(limits.stop)
    {
    }
    const ir::Model &model;
    Evaluator evaluator;
    std::int64_t nodesLeft;
    std::stop_token stop;
    int depth = 0; ///< the number of nested calls at the moment
    /// The attributes of modules that code has set.
    std::map<std::pair<std::uint32_t, std::string>, Value> attributes = {};
};

/// A call of a function, with its computed values that are still needed.
class Frame {
public:
    Frame(Program &program, const ir::Graph &graph, Seen seen = {});

    /// Computes the region's results for `inputs`. Errors: another number of inputs; a result without a value; those of
    /// visit().
    Result<Values> region(ir::RegionId id, std::span<const Value> inputs);

    /// Returns the value of an operand that control flow reads; a list of operands is a value, too. Errors: those of
    /// Evaluator::valueOf().
    Result<Value> valueOf(const ir::Operand &operand);
    /// Returns the values of the node's arguments from the index `first` on; a list is replaced by its items. Errors:
    /// those of valueOf().
    Result<Values> argumentsFrom(const ir::NodeRef &node, std::size_t first);
    Program &program() { return m_program; }

private:
    /// Errors: those of valueOf().
    Result<Values> valuesOf(std::span<const ir::Operand> operands);
    /// Errors: Cancelled; more nodes than the limit; those of resultsOf().
    Result<void> visit(const ir::NodeRef &node);
    /// Errors: those of the node's computation; an exception that the node raises.
    Result<Values> resultsOf(const ir::NodeRef &node);
    /// Errors: calls that are nested too deep; an argument without a value; those of region().
    Result<Values> call(const ir::NodeRef &node, const ir::Function &function);
    /// Errors: the object or its attribute's value is not known.
    Result<Values> getAttribute(const ir::NodeRef &node);
    /// Errors: the object or the value is not known.
    Result<Values> setAttribute(const ir::NodeRef &node);
    void set(ir::ModuleId module, std::string_view path, Value value);
    const Value *known(ir::ValueId id);
    void findLastReaders();

    Program &m_program;
    const ir::Graph &m_graph;
    Seen m_seen;
    Evaluator::Known m_known;
    std::vector<std::optional<Value>> m_values;
    std::vector<std::vector<ir::ValueId>> m_done; ///< by node: the values that no later node reads
};

/// Returns the function that a node calls, or nullptr. A method is found by the class of the module that `self` is.
const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, Frame &frame);

/// Returns the module at an index of a ModuleList, or under a name of a ModuleDict. Errors: there is no such module.
Result<Value> itemOfModules(const ir::Model &model, const Value &modules, const Value &index);

/// Runs the regions of a node as its operator does, and returns the node's results; nothing if its operator runs none.
std::optional<Result<Values>> runRegions(const ir::NodeRef &node, Frame &frame);

/// Returns an attribute of a module as code has set it, or as the file has it, by a path that may lead through modules:
/// "layer1.0.weight". Errors: the attribute's value is not known; those of Evaluator::weight().
Result<Value> attributeOf(Program &program, ir::ModuleId module, std::string_view path);

} // namespace cutaway::evaluate
