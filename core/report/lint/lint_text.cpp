// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/lint/lint_report.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/print/text_table.h"
#include "core/report/lint/finding_place.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace cutaway::report {

namespace {

constexpr std::size_t shownAlike = 2;   ///< limit of printed findings of one rule with the same text
constexpr std::size_t shownOfRule = 10; ///< limit of printed findings of one rule

/// Returns "conv2d_1 (aten::conv2d in layer1.0.conv1, net.py:12)"; for a finding without a node, the name of the value
/// or of the function; "" for a finding about the model or the main function.
std::string placeText(const ir::Model &model, const lint::Finding &finding)
{
    const FindingPlace place = placeOf(model, finding);
    if (!place.node)
        return place.name.empty() && finding.function != ir::FunctionId{0} ? place.function : place.name;
    std::string text = place.name + " (" + place.op;
    if (!place.scope.empty())
        text += " in " + place.scope;
    if (!place.source().empty())
        text += ", " + place.source();
    return text + ")";
}

std::string lineOf(const ir::Model &model, const lint::Finding &finding)
{
    const std::string place = placeText(model, finding);
    const std::string line = formatted("{}: {}{}: {} [{}]", model.path, place.empty() ? place : place + ": ",
                                       lint::levelOf(finding.rule->severity), finding.message, finding.rule->id);
    return print::withoutBackquotes(sanitized(line)) + "\n"; // one line for each finding, as compilers write them
}

/// Returns the lines of one rule's findings.
std::string linesOf(const ir::Model &model, std::span<const lint::Finding> findings, bool all)
{
    std::string text;
    std::map<std::string_view, std::size_t> alike;
    std::size_t shown = 0;
    for (const lint::Finding &finding : findings) {
        if (!all && (shown == shownOfRule || ++alike[finding.message] > shownAlike))
            continue;
        text += lineOf(model, finding);
        ++shown;
    }
    if (shown < findings.size())
        text += formatted("{}: … and {} more of this rule; --all-findings [{}]\n", sanitized(model.path),
                          findings.size() - shown, findings.front().rule->id);
    return text;
}

std::string totalsText(const LintTotals &totals)
{
    std::vector<std::string> parts;
    for (const auto &[count, what] :
         {std::pair(totals.errors, "error"), std::pair(totals.warnings, "warning"), std::pair(totals.notes, "note")})
        if (count > 0)
            parts.push_back(quantity(count, what));
    return parts.empty() ? "no findings" : joined(parts, ", ");
}

} // namespace

LintTotals totalsOf(const std::vector<lint::Finding> &findings)
{
    const auto count = [&](ir::Severity severity) {
        return static_cast<std::size_t>(std::ranges::count_if(
            findings, [=](const lint::Finding &finding) { return finding.rule->severity == severity; }));
    };
    return {count(ir::Severity::Error), count(ir::Severity::Warning), count(ir::Severity::Info)};
}

std::string lintText(const LintResult &result, bool all)
{
    std::string text;
    std::span<const lint::Finding> rest = result.findings;
    while (!rest.empty()) {
        const auto end =
            std::ranges::find_if(rest, [&](const lint::Finding &finding) { return finding.rule != rest.front().rule; });
        const auto count = static_cast<std::size_t>(end - rest.begin());
        text += linesOf(result.model, rest.first(count), all);
        rest = rest.subspan(count);
    }
    return text + sanitized(result.model.path) + ": " + totalsText(totalsOf(result.findings)) + "\n";
}

std::string ruleList()
{
    print::TextTable table({{}, {}, {}, {.maxWidth = 100, .isProse = true}});
    table.addRow({"rule", "severity", "asked", "finds"});
    for (const lint::Rule *rule : lint::rules())
        table.addRow({std::string(rule->id), std::string(lint::levelOf(rule->severity)),
                      rule->asked == lint::Rule::Asked::ByDefault ? "" : "if chosen", std::string(rule->summary)});
    return table.print(0);
}

} // namespace cutaway::report
