// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/knowledge.h"
#include "core/layout/marks.h"
#include "core/passes/history.h"
#include "core/report/material.h"
#include "core/run/node_times.h"

#include <deque>

namespace cutaway::report {

/// Parts of a page that can be left out.
struct PageAdditions {
    const passes::History *history = nullptr; ///< the states of the function that the page steps through
    /// The measured times of the function or of one of these states; nullptr: none.
    std::shared_ptr<const run::Timing> times{};
};

/// The states of a function that a page steps through, with the figures of each: only states that differ from the one
/// before. A state that only divides the nodes into other modules is left out, since it would need a picture of its
/// own. The models of the states must outlive this object.
class PageStates {
public:
    PageStates(const Subject &subject, const PageAdditions &additions);
    PageStates(const PageStates &) = delete;
    PageStates &operator=(const PageStates &) = delete;

    /// Returns a model with the nodes of all states, where each node reads what it reads in any of them.
    const ir::Model &drawn() const { return m_all ? *m_all : m_materials.back().subject.model; }
    const ir::Function &function() const { return drawn().at(m_function); }
    ir::FunctionId functionId() const { return m_function; }
    const Material &first() const { return m_materials.front(); }
    const Material &last() const { return m_materials.back(); }
    std::size_t count() const { return m_materials.size(); }
    const std::vector<std::string> &titles() const { return m_titles; } ///< by state; empty if there is one state

    /// Returns the last state that has a node; rowOf() returns the node's row there.
    const Material &of(ir::NodeId node) const { return m_materials[m_stateOfNode[node.index]]; }
    const NodeRow &rowOf(ir::NodeId node) const { return *m_rows[node.index]; }
    const run::NodeTimes &times() const { return m_times; }
    /// Returns the value's type in the last state that has the value's node, as from describeKnown().
    std::string typeOf(ir::ValueId value) const;

    /// Returns the texts of diagrams; this object must outlive the result.
    layout::Knowledge knowledge() const;
    /// Sets the texts of a picture's boxes to those of a state; for nodes that the state removed, to those of the state
    /// before.
    void describe(layout::Diagram &diagram, std::size_t state) const;
    /// Returns the marks for the differences between a state and the one before.
    layout::NodeMarks marks(std::size_t state) const;

private:
    bool hasNode(std::size_t state, ir::NodeId node) const;
    std::string typeOf(ir::ValueId value, std::size_t state) const;
    const ir::Graph &graphOf(std::size_t state) const { return m_materials[state].graph(); }

    ir::FunctionId m_function;
    std::vector<std::shared_ptr<const ir::Model>> m_models;
    std::vector<std::string> m_titles;
    std::deque<Material> m_materials;            ///< by state
    std::deque<analysis::RecordedSizes> m_sizes; ///< by state
    std::optional<ir::Model> m_all;              ///< all states in one model; nothing if there is one state
    std::vector<std::size_t> m_stateOfNode;      ///< by NodeId
    std::vector<const NodeRow *> m_rows;         ///< by NodeId; nullptr for nodes that no state has
    run::NodeTimes m_times;
};

} // namespace cutaway::report
