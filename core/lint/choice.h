// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/rule.h"

#include <string>

namespace cutaway::lint {

// The rules that need a target; they are checked if one is named.
inline constexpr std::string_view coreAtenRule = "core-aten", opsetRule = "opset-target",
                                  backendRule = "backend-operator";

/// The rules that a user selects.
struct Choice {
    std::vector<std::string> only = {};         ///< the ids of rules; empty: those that are checked by default
    std::vector<std::string> without = {};      ///< the ids of rules that are left out
    std::vector<std::string_view> targets = {}; ///< ids of rules that are checked, too, as their target is named
    bool all = false;
};

/// Returns the chosen rules, in the order of all rules. Errors (Usage): there is no such rule; the message has similar
/// names.
Result<std::vector<const Rule *>> chosenRules(const Choice &choice);

} // namespace cutaway::lint
