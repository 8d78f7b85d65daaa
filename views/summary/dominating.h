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

/// Modules are ranked by the parameters that they read.
struct ByParameters {
    bool operator==(const ByParameters &) const = default;
};
/// A quantity by which nodes or modules are ranked; only modules can be ranked by parameters.
using Amount = std::variant<Measure, ByParameters>;

/// The ranking that the user has chosen.
struct Dominating {
    enum class Of : std::uint8_t { Nodes, Modules } of = Of::Nodes;
    std::optional<Amount> by = {}; ///< nothing: the first one that there is any of
};

/// Adds a section with the nodes or modules that have most of a figure, below choices of what is ranked and by what,
/// which call `choose`.
void fillDominating(PropertySheet &sheet, Session &session, const Figures &figures, const Dominating &asked,
                    const std::function<void(const Dominating &)> &choose);

} // namespace cutaway::views
