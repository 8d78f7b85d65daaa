// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <cstdint>
#include <vector>

namespace cutaway::structure {

/// A part of a flow during the division: consecutive positions.
struct Part {
    enum class Form : std::uint8_t {
        Step,
        Chain, ///< consecutive children
        Fork,  ///< parallel branches, perhaps with a part before that splits, and a part after that joins
        Unit,  ///< one of several similar parts
        Run,   ///< consecutive units
        Stage, ///< parts that compute at one resolution
    };
    Form form = Form::Step;
    std::uint32_t begin = 0, end = 0; ///< the positions of the part
    std::uint32_t branches = 0;       ///< the number of branches of a fork; 0 for other forms
    bool isSkipped = false;           ///< whether the part's last position also reads a value from before the part
    bool isHeads = false;             ///< whether the part is a fork whose branches are not joined
    bool isStage = false;             ///< whether the part consists of all parts at one resolution
    std::size_t token = 0;            ///< a hash that is equal for parts that are taken for alike
    std::vector<std::uint32_t> children{};
    std::vector<Role> weighted{}; ///< the weighted roles on the part's longest path, up to a limit

    std::uint32_t size() const { return end - begin; }
    /// Whether the part consists of several steps, some of them weighted.
    bool isBlock() const { return form != Form::Step && form != Form::Stage && !weighted.empty(); }
};

/// All parts, each after the parts that it contains; the last one is the entire flow.
using Parts = std::vector<Part>;

/// Divides a flow where the fewest values pass, and forks into their branches; then groups the repeats of each chain
/// into units, and chains by resolution into stages. O(places · depth), which is limited.
Parts partsOf(const Flow &flow);

/// Arranges one chain: its repeats become units and runs, and it is divided into stages. Adds the new parts to `parts`
/// and returns the arranged chain.
std::vector<std::uint32_t> arranged(const Flow &flow, Parts &parts, std::vector<std::uint32_t> chain);

/// Returns the role of a part that is a step; Other for larger parts.
inline Role roleOf(const Flow &flow, const Part &part)
{
    return part.form == Part::Form::Step ? flow.places[part.begin].role : Role::Other;
}

/// Returns the weighted roles of consecutive parts.
std::vector<Role> weightedOf(const Parts &parts, const std::vector<std::uint32_t> &chain);

/// Whether the part multiplies its input by something computed from it: an activation or squeeze-excitation.
bool isGate(const Flow &flow, const Part &part);

} // namespace cutaway::structure
