// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/measure.h"

#include <functional>
#include <optional>
#include <variant>

namespace cutaway::views {

class Figures;
class PropertySheet;
class Session;

/// Ranks modules by the parameters that they read.
struct ByParameters {
    bool operator==(const ByParameters &) const = default;
};
/// A quantity by which nodes or modules are ranked; only modules can be ranked by parameters.
using Amount = std::variant<Measure, ByParameters>;

/// The ranking that the user has chosen.
struct Dominating {
    enum class Of : std::uint8_t { Nodes, Modules } of = Of::Nodes;
    std::optional<Amount> by = {}; ///< the figure; nothing for the first one with known amounts
};

/// Adds a section with the nodes or modules that have the most of a figure. Above the list, the user chooses nodes or
/// modules, and the figure; `choose` is called with the choice.
void fillDominating(PropertySheet &sheet, Session &session, const Figures &figures, const Dominating &asked,
                    const std::function<void(const Dominating &)> &choose);

} // namespace cutaway::views
