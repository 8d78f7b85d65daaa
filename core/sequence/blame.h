// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/blame.h"
#include "core/sequence/mapping.h"

namespace cutaway::sequence {

/// The state of nodes in one step of their history.
struct BlameEntry {
    std::string step;                   ///< the address of the step
    std::vector<std::string> nodes;     ///< the ancestors or descendants of the nodes in question
    std::optional<passes::Event> event; ///< nothing if none of the nodes exists yet
    How how = How::Structure;
    bool isSure = true;
};

/// Returns the history of the node, value or module `name` of the step at `address`, with an entry for each step of its
/// sequence. Each of these steps is mapped to the step at `address` (mapping.h). Errors: those of findStep(); the step
/// has no node, value or module of this name (Unreadable), with similar names.
Result<std::vector<BlameEntry>> blameOf(const std::string &address, const std::string &name, bool useProvenance = true,
                                        const Task &task = {});

} // namespace cutaway::sequence
