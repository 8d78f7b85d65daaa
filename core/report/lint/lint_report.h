// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// The findings of a model, and the rules that were asked.
struct LintResult {
    const ir::Model &model;
    const std::vector<const lint::Rule *> &rules;
    const std::vector<lint::Finding> &findings;
};

/// How many there are of each severity.
struct LintTotals {
    std::size_t errors = 0, warnings = 0, notes = 0;
};
LintTotals totalsOf(const std::vector<lint::Finding> &findings);

/// A line per finding, as compilers write them, and one with the totals. Unless `all` is set, only the first findings
/// of each rule are shown, and of those that read the same the first two.
std::string lintText(const LintResult &result, bool all);

/// The document of `lint --json`, schema "cutaway.lint/1".
std::string lintJson(const LintResult &result);

/// The same as SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), which code review tools read.
std::string lintSarif(const LintResult &result, std::string_view version);

/// A table of all rules; marks those that are not asked by default.
std::string ruleList();

/// What docs/lint.md says of a rule, in Markdown: its section without the heading.
std::string_view ruleHelp(std::string_view id);

} // namespace cutaway::report
