// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/steps/step_patterns.h"
#include "core/ir/node_ref.h"
#include "core/passes/history.h"

namespace cutaway::passes {

/// The thing that the history is asked about: a node, a value, or all nodes of a module's call. Ids hold in all states.
using Subject = std::variant<ir::NodeId, ir::ValueId, ir::ScopeId>;

/// The change of a subject by a step.
enum class Event : std::uint8_t { Made, Kept, Changed, Fused, Gone };
std::string_view name(Event event); ///< "made"

/// Whether a subject exists before and after a step, and how it has changed.
struct Transition {
    bool wasMade = false;  ///< whether the previous state or an earlier one has the subject
    bool isThere = false;  ///< whether the next state has the subject
    bool isOther = false;  ///< whether other nodes took its place, or its nodes changed
    bool isMerged = false; ///< whether one of its nodes in the next state was made from several nodes
};
std::optional<Event> eventOf(const Transition &transition); ///< nothing if the subject does not exist yet

/// A subject in one state of a history.
struct BlameEntry {
    std::size_t position = 0; ///< the number of steps before the state
    /// The subject's nodes, those that it was made from, or those that it became; ascending.
    std::vector<ir::NodeId> nodes;
    /// The effect of the previous step on the subject; nothing: the subject does not exist yet.
    std::optional<Event> event;
    std::vector<ir::NodeId> from = {};     ///< the previous state's nodes from which the step made `nodes`
    std::vector<ir::ValueId> instead = {}; ///< the values that replace the results of the removed subject
};

/// Returns the subject in all states of a history, first to last. Nodes are followed by their ids and by what steps
/// made of them (diff::StepLinks), backwards from where the subject was made and forwards from where it is gone. Inputs
/// and weights have no nodes. O(states + size of the steps that change it), for a module also O(states · its nodes).
std::vector<BlameEntry> blameOf(const History &history, const Subject &subject);

/// Returns the positions of the steps that did something to the subject, and of the first state that has it.
std::vector<std::size_t> changesOf(std::span<const BlameEntry> entries);

/// Finds a subject by its name in the last state that has it: a node, else a value, else a module by its path, of which
/// the first call is taken. Errors: no state has the name (Unreadable), with similar names of nodes.
Result<Subject> findSubject(const History &history, std::string_view name);

/// Returns a node's name, or that of its first result if passes gave it none.
std::string nameIn(const ir::NodeRef &node);

/// Describes what the step before an entry's state did: "`addmm` became `mm`, `add`", "`conv`, `bn` fused into
/// `conv_1`", "gone, `x` is read instead", for a module "2 × linear + relu → addmm"; "" if the step kept the subject.
std::string sentence(const History &history, const Subject &subject, const BlameEntry &entry);

/// Returns the patterns of the step that led to the state at `position`, as far as they lie in `module`, the most
/// frequent first. The root scope stands for the whole function.
std::vector<diff::StepPattern> patternsOf(const History &history, std::size_t position, ir::ScopeId module = {});

} // namespace cutaway::passes
