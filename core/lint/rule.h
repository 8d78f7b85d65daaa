// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cutaway::lint {

class Subject;

/// A rule that a model is checked with. Each family of rules has a source in core/lint/rules with their rows;
/// docs/lint.md has a section per rule.
struct Rule {
    /// When the rule is checked. WhenChosen: it names a target (an opset, core ATen), or is of use only to some users.
    enum class Asked : std::uint8_t { ByDefault, WhenChosen };
    /// The subject that the rule is checked on. A model that passes made is no file.
    enum class Scope : std::uint8_t {
        Function,
        FunctionOfFile, ///< each function, but not of a model that passes made
        File            ///< once, the whole file
    };

    std::string_view id; ///< "dead-node"
    ir::Severity severity = ir::Severity::Warning;
    std::string_view summary; ///< the rule's finding in one sentence
    Asked asked = Asked::ByDefault;
    Scope scope = Scope::Function;
    void (*check)(Subject &subject) = nullptr; ///< checks the subject and reports the findings to it
    bool restates = false; ///< whether its findings are also diagnostics of the model or the analysis
};

/// Returns "error", "warning" or "note".
std::string_view levelOf(ir::Severity severity);

/// Returns all rules, the most severe first.
std::span<const Rule *const> rules();
/// Returns the rules that are checked by default.
std::vector<const Rule *> defaultRules();
/// Returns the rule with this id. Errors (Usage): there is no such rule; the message has similar names.
Result<const Rule *> findRule(std::string_view id);

} // namespace cutaway::lint
