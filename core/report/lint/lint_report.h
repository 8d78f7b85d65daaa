// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// The findings of a model, and the rules that were checked.
struct LintResult {
    const ir::Model &model;
    const std::vector<const lint::Rule *> &rules;
    const std::vector<lint::Finding> &findings;
};

/// The number of findings of each severity.
struct LintTotals {
    std::size_t errors = 0, warnings = 0, notes = 0;
};
LintTotals totalsOf(const std::vector<lint::Finding> &findings);

/// Returns a line per finding, as compilers write them, and one with the totals. Unless `all` is set, only the first
/// findings of each rule are shown, and of those with the same text only the first two.
std::string lintText(const LintResult &result, bool all);

/// Returns the document of `lint --json`, schema "cutaway.lint/1".
std::string lintJson(const LintResult &result);

/// Returns the findings as SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), which code review tools read.
std::string lintSarif(const LintResult &result, std::string_view version);

/// Returns a table of all rules that marks those that are not checked by default.
std::string ruleList();

/// Returns the section of docs/lint.md about a rule, in Markdown without the heading.
std::string_view ruleHelp(std::string_view id);

} // namespace cutaway::report
