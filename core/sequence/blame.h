// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/blame.h"
#include "core/sequence/mapping.h"

namespace cutaway::sequence {

/// One step of the history of nodes.
struct BlameEntry {
    std::string step;                   ///< address
    std::vector<std::string> nodes;     ///< in that step: nodes that these came from, or that came from these
    std::optional<passes::Event> event; ///< nothing: none of them is made yet
    How how = How::Structure;
    bool isSure = true;
};

/// The history through all steps of a sequence, before and behind the step of the address, of what has this name there:
/// a node, a value or a module. Each step is mapped to that one (mapping.h). Errors: as findStep(), and a name that the
/// step does not have (Unreadable), with similar ones.
Result<std::vector<BlameEntry>> blameOf(const std::string &address, const std::string &name, bool useProvenance = true,
                                        const Task &task = {});

} // namespace cutaway::sequence
