// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/rule.h"

#include <string>

namespace cutaway::lint {

// The rules that ask for a target; they are asked where one is named.
inline constexpr std::string_view coreAtenRule = "core-aten", opsetRule = "opset-target",
                                  backendRule = "backend-operator";

/// Which rules a user wants.
struct Choice {
    std::vector<std::string> only = {};         ///< ids; empty: those that are asked by default
    std::vector<std::string> without = {};      ///< ids
    std::vector<std::string_view> targets = {}; ///< ids of rules that are asked too, as a target is named
    bool all = false;
};

/// These rules, in the order of all. Errors (Usage): no such rule, with similar names.
Result<std::vector<const Rule *>> chosenRules(const Choice &choice);

} // namespace cutaway::lint
