// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/mapping.h"

namespace cutaway::sequence {

/// One step of a node's history.
struct BlameEntry {
    enum class Event : std::uint8_t { Made, Kept, Changed, Fused, Gone };
    std::string step;               ///< address
    std::vector<std::string> nodes; ///< of that step: those that it came from, or that came from it
    std::optional<Event> event;     ///< nothing: it is not made yet
    How how = How::Structure;
    bool isSure = true;
};
std::string_view name(BlameEntry::Event event); ///< "made"

/// The history of a node through all steps of its sequence, before and behind the step of the address. Errors: as
/// findStep(), and a node that the step does not have (Unreadable), with similar names.
Result<std::vector<BlameEntry>> blameOf(const std::string &address, const std::string &node, bool useProvenance = true,
                                        const Task &task = {});

} // namespace cutaway::sequence
