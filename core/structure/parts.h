// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <cstdint>
#include <vector>

namespace cutaway::structure {

/// A part of a flow while it is divided: consecutive places.
struct Part {
    enum class Form : std::uint8_t {
        Step,
        Chain, ///< children one after the other
        Fork,  ///< perhaps a part that splits, then branches, then perhaps a part that joins them
        Unit,  ///< one of several alike
        Run,   ///< units one after the other
        Stage, ///< parts that compute at one resolution
    };
    Form form = Form::Step;
    std::uint32_t begin = 0, end = 0; ///< places
    std::uint32_t branches = 0;       ///< how many branches a fork has; 0 in all other forms
    bool isSkipped = false;           ///< its last place also reads a value from before the part
    bool isHeads = false;             ///< a fork whose branches are not joined
    bool isStage = false;             ///< it is all parts that compute at one resolution
    std::size_t token = 0;            ///< equal for parts that are taken for alike
    std::vector<std::uint32_t> children{};
    std::vector<Role> weighted{}; ///< the weighted roles on its longest way, a limited number of them

    std::uint32_t size() const { return end - begin; }
    /// Whether it holds steps, some of them weighted.
    bool isBlock() const { return form != Form::Step && form != Form::Stage && !weighted.empty(); }
};

/// All parts, each after the parts that it holds; the last is the whole.
using Parts = std::vector<Part>;

/// Divides a flow where the fewest values pass, and forks into their branches; then groups the repeats of each chain
/// into units, and chains by resolution into stages. O(places · depth), which is limited.
Parts partsOf(const Flow &flow);

/// Arranges one chain: its repeats become units and runs, and it is divided into stages. Adds the new parts to `parts`
/// and returns the arranged chain.
std::vector<std::uint32_t> arranged(const Flow &flow, Parts &parts, std::vector<std::uint32_t> chain);

/// The role of a part that is a step; Other for larger ones.
inline Role roleOf(const Flow &flow, const Part &part)
{
    return part.form == Part::Form::Step ? flow.places[part.begin].role : Role::Other;
}

/// The weighted roles of consecutive parts.
std::vector<Role> weightedOf(const Parts &parts, const std::vector<std::uint32_t> &chain);

/// Whether the part multiplies its input with what it made of it: an activation or squeeze-excitation.
bool isGate(const Flow &flow, const Part &part);

} // namespace cutaway::structure
