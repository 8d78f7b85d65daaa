// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/lint/lint_report.h"

#include <algorithm>

namespace cutaway::report {

namespace {

constexpr std::string_view lintPage =
#include "core/report/lint_page.inc"
    ;

} // namespace

std::string_view ruleHelp(std::string_view id)
{
    const std::string heading = "\n### `" + std::string(id) + "`\n";
    const std::size_t at = lintPage.find(heading);
    if (at == lintPage.npos)
        return {};
    std::string_view section = lintPage.substr(at + heading.size());
    section = section.substr(0, section.find("\n#"));
    const std::size_t first = std::min(section.find_first_not_of('\n'), section.size());
    return section.substr(first, section.find_last_not_of('\n') + 1 - first);
}

} // namespace cutaway::report
