// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/code/computations.h"
#include "core/sequence/code/kernel_lines.h"
#include "core/sequence/code/kernel_statements.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

/// One call of a kernel: its statements, one after the other, and the nodes that they compute; see kernel_run.cpp.
class KernelRun {
public:
    /// `nodes`: those that the kernel computes. `steps`: operands, nodes and readers that may still be looked at; the
    /// run counts it down, and gives up when it is 0.
    KernelRun(const Computations &all, const std::vector<Computation> &nodes, std::size_t &steps);

    /// Tells which values a pointer points to before the first statement; one of them; none: they are not known.
    void point(const std::string &pointer, Values values);
    void add(const KernelStatement &statement);
    /// Connects all statements with nodes.
    void finish();

    /// Whether a statement was understood.
    bool hasMatch() const { return !m_matched.empty(); }
    /// The values that a pointer points to at the end; none: they are not known.
    Values valuesAt(const std::string &pointer) const;
    void addLines(std::vector<KernelLine> &lines) const;

private:
    /// A value at one place of the source.
    struct Instance {
        KernelStatement::Lines lines = {};      ///< none of an argument, or of a number within a statement
        std::vector<std::size_t> operands = {}; ///< instances
        std::size_t source = 0;                 ///< itself, or of a copy the instance that was copied
        bool isCopy = false, isLoad = false, isStore = false;
        Values values = {}; ///< one of these; empty: it is open
        std::optional<double> number = {};
        std::vector<ir::NodeId> nodes = {};
        std::vector<std::size_t> users = {};
    };
    /// A node that a statement may be.
    struct Fitting {
        const Computation *node = nullptr;
        bool isTurned = false; ///< its first two operands are in the other order
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
    std::size_t m_operands = 0; ///< how many operands all nodes have, plus how many nodes there are
    std::vector<Instance> m_instances;
    std::unordered_map<std::string, std::size_t> m_names, m_pointers; ///< places of instances
    std::unordered_map<ir::NodeId, std::size_t> m_places;             ///< places of nodes in m_nodes
    std::unordered_set<ir::NodeId> m_matched;                         ///< a statement computes it
    std::unordered_set<ir::NodeId> m_closed;                          ///< several statements do, found by its readers
};

} // namespace cutaway::sequence
