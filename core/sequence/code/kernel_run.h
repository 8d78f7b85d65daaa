// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/code/computations.h"
#include "core/sequence/code/kernel_lines.h"
#include "core/sequence/code/kernel_statements.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

/// Follows a call of a kernel: its statements in order, and the nodes that they compute; see kernel_run.cpp.
class KernelRun {
public:
    /// `nodes`: the nodes that the kernel computes. `steps`: the number of operands, nodes and readers that may still
    /// be visited; it is counted down, and at 0 the run gives up.
    KernelRun(const Computations &all, const std::vector<Computation> &nodes, std::size_t &steps);

    /// Sets the values that a pointer may point to before the first statement; an empty list if they are not known.
    void point(const std::string &pointer, Values values);
    void add(const KernelStatement &statement);
    /// Connects all statements with nodes.
    void finish();

    /// Whether a single statement was found to compute a node.
    bool hasMatch() const { return !m_matched.empty(); }
    /// Returns the values that a pointer may point to at the end; an empty list if they are not known.
    Values valuesAt(const std::string &pointer) const;
    void addLines(std::vector<KernelLine> &lines) const;

private:
    /// A value that the kernel computes, reads or gets, with the lines that do that.
    struct Instance {
        KernelStatement::Lines lines = {};      ///< empty for an argument, and for a number within a statement
        std::vector<std::size_t> operands = {}; ///< indices of instances
        std::size_t source = 0;                 ///< the instance that this one is a copy of; itself if it is none
        bool isCopy = false, isLoad = false, isStore = false;
        Values values = {}; ///< the values of the graph that it may be; empty if they are not known
        std::optional<double> number = {};
        std::vector<ir::NodeId> nodes = {};
        std::vector<std::size_t> users = {};
    };
    /// A node that a statement may be.
    struct Fitting {
        const Computation *node = nullptr;
        bool isTurned = false; ///< whether its first two operands are exchanged
    };

    bool look(std::size_t count);
    std::optional<std::size_t> placeOf(const KernelOperand &operand);
    std::size_t sourceOf(std::size_t place) const { return m_instances[place].source; }
    std::size_t keep(Instance instance);
    bool isOpen(const Instance &instance) const { return instance.values.empty() && !instance.number; }
    bool mayBe(ir::ValueId value) const;
    bool mayCompute(const KernelStatement &statement, const Instance &instance) const;
    enum class Fit : std::uint8_t { No, Perhaps, Sure };
    Fit fitOf(const Instance *given, const std::variant<ir::ValueId, double> *wanted) const;
    bool fits(const std::vector<std::size_t> &operands, const Computation &node, bool isTurned) const;
    std::optional<Fitting> fittingOf(const Instance &instance, const Computation &node) const;
    void match(Instance &instance, const std::string &operation);
    void closeOperands(const std::vector<std::size_t> &operands, const Fitting &fitting);
    void give(Instance &instance, ir::ValueId value);
    void giveResults();
    std::optional<std::vector<std::size_t>> readersOf(std::size_t place) const;
    bool reads(ir::NodeId reader, const Instance &instance);
    bool isForReaders(std::size_t place);
    void giveByReaders(std::size_t place);
    void giveMoves();

    const Computations &m_all;
    const std::vector<Computation> &m_nodes;
    std::size_t &m_steps;
    std::size_t m_operands = 0; ///< the number of operands of all nodes, plus the number of nodes
    std::vector<Instance> m_instances;
    std::unordered_map<std::string, std::size_t> m_names, m_pointers; ///< by name: the index of the instance
    std::unordered_map<ir::NodeId, std::size_t> m_places;             ///< by node: its index in m_nodes
    std::unordered_set<ir::NodeId> m_matched;                         ///< nodes that a single statement computes
    std::unordered_set<ir::NodeId> m_closed; ///< nodes that several statements compute, found by their readers
};

} // namespace cutaway::sequence
