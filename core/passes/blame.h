// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/steps/step_patterns.h"
#include "core/ir/node_ref.h"
#include "core/passes/history.h"

namespace cutaway::passes {

/// The history is asked for a node, a value, or all nodes of a module's call. Ids hold in all states.
using Subject = std::variant<ir::NodeId, ir::ValueId, ir::ScopeId>;

/// The change of a subject by a step.
enum class Event : std::uint8_t { Made, Kept, Changed, Fused, Gone };
std::string_view name(Event event); ///< "made"

/// A subject before and after a step.
struct Transition {
    bool wasMade = false;  ///< in the state before, or an earlier one
    bool isThere = false;  ///< in the state after
    bool isOther = false;  ///< other nodes stand for it, or they changed
    bool isMerged = false; ///< one of these was made from several
};
std::optional<Event> eventOf(const Transition &transition); ///< nothing: it is not made yet

/// A subject in one state of a history.
struct BlameEntry {
    std::size_t position = 0;              ///< the state is the one after so many steps
    std::vector<ir::NodeId> nodes;         ///< nodes that it is, was made from, or became, in this state; ascending
    std::optional<Event> event;            ///< what the step before the state did to it; nothing: it is not made yet
    std::vector<ir::NodeId> from = {};     ///< nodes of the state before that the step made `nodes` of
    std::vector<ir::ValueId> instead = {}; ///< read since this step, where its results were read
};

/// A subject in all states of a history, first to last. Nodes are followed by their ids and by what steps made of them
/// (diff::StepLinks), backwards from where the subject was made and forwards from where it is gone. Inputs and weights
/// have no nodes. O(states + size of the steps that change it), for a module also O(states · its nodes).
std::vector<BlameEntry> blameOf(const History &history, const Subject &subject);

/// The positions of the steps that did something, and of the first state that has the subject.
std::vector<std::size_t> changesOf(std::span<const BlameEntry> entries);

/// Finds by name in the last state that has it: a node, else a value, else a module by its path, of which the first
/// call is taken. Errors: no state has it (Unreadable), with similar names of nodes.
Result<Subject> findSubject(const History &history, std::string_view name);

/// A node's name, or that of its first result where passes gave it none.
std::string nameIn(const ir::NodeRef &node);

/// Says what the step before an entry's state did: "`addmm` became `mm`, `add`", "`conv`, `bn` fused into `conv_1`",
/// "gone, `x` is read instead", of a module "2 × linear + relu → addmm". "" where it kept the subject.
std::string sentence(const History &history, const Subject &subject, const BlameEntry &entry);

/// Finds what the step before a state did in a module, the root for all of the function; most frequent first.
std::vector<diff::StepPattern> patternsOf(const History &history, std::size_t position, ir::ScopeId module = {});

} // namespace cutaway::passes
