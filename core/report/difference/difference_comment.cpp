// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/report/difference.h"
#include "core/report/markdown.h"

#include <algorithm>
#include <cmath>

namespace cutaway::report {

namespace {

/// The limit of bytes of a diff in a comment: GitHub refuses comments of more than 65,536 characters, and one comment
/// may be on several models.
constexpr std::size_t diffBytes = 24'000;
constexpr std::size_t modulesInComment = 12;

enum class FigureForm : std::uint8_t { Count, Flops, Bytes };

struct FigureRow {
    std::string_view name, title;
    FigureForm form;
};
constexpr FigureRow figureRows[] = {{"nodes", "Nodes", FigureForm::Count},
                                    {"flops", "FLOPs", FigureForm::Flops},
                                    {"other_flops", "Other operations", FigureForm::Flops},
                                    {"weight_bytes", "Weights", FigureForm::Bytes},
                                    {"peak_activation_bytes", "Peak memory", FigureForm::Bytes}};

std::string formText(FigureForm form, const ir::Dim &figure, const ir::Dim &atLeast)
{
    if (form == FigureForm::Count)
        return print::exactText(figure, atLeast);
    return form == FigureForm::Flops ? print::flopText(figure, atLeast) : print::bytesText(figure, atLeast);
}

/// Returns "+2.1 MiB (+3.0 %)"; "" where both figures are the same, "?" where one is not known.
std::string growthText(FigureForm form, const diff::Figure &figure)
{
    if (ops::isSame(figure.before, figure.after))
        return {};
    const auto before = ops::number(figure.before), after = ops::number(figure.after);
    if (!before || !after)
        return formText(form, ops::minus(figure.after, figure.before), ops::zero);
    const bool isMore = *after > *before;
    const std::int64_t by = isMore ? *after - *before : *before - *after;
    std::string growth = (isMore ? "+" : "−") + formText(form, by, ops::zero);
    if (*before > 0)
        growth += (isMore ? " (+" : " (−") + print::percentText(double(by) / double(*before)) + ")";
    return growth;
}

Table totalsTable(const diff::Difference &difference)
{
    using Kind = Column::Kind;
    Table table{.columns = {{"Figure"}, {"A", Kind::Number}, {"B", Kind::Number}, {"Change", Kind::Number}},
                .rows = {}};
    for (const diff::Figure &figure : difference.totals)
        if (const auto *const row = std::ranges::find(figureRows, figure.name, &FigureRow::name);
            row != std::end(figureRows))
            table.rows.push_back({{std::string(row->title)},
                                  {formText(row->form, figure.before, figure.beforeAtLeast)},
                                  {formText(row->form, figure.after, figure.afterAtLeast)},
                                  {growthText(row->form, figure)}});
    if (!difference.isEqual())
        table.rows.push_back({{"Similarity"}, {}, {similarityText(difference)}, {}});
    return table;
}

/// Returns a text of more than diffBytes cut at the end of a line, with the number of lines that are left out; returns
/// shorter texts unchanged.
std::string cutLines(const std::string &text)
{
    if (text.size() <= diffBytes)
        return text;
    const std::size_t end = text.rfind('\n', diffBytes) + 1;
    const auto left = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
    return text.substr(0, end) + "… " + grouped(left) + " more lines\n";
}

/// Returns a diff that GitHub shows folded up. Each line of the diff begins with a sign or "@@", so none of them can
/// end the block of code.
std::string foldedDiff(const std::string &unified)
{
    if (unified.empty())
        return {};
    return "<details><summary>Node by node</summary>\n\n```diff\n" + cutLines(unified) + "```\n\n</details>\n";
}

} // namespace

std::string differenceComment(const Comparison &comparison)
{
    const diff::Difference &difference = comparison.difference;
    std::string comment = "### " + markdownName(sanitized(comparison.a.model.path)) + " → "
        + markdownName(sanitized(comparison.b.model.path)) + ": " + verdictText(difference) + "\n\n"
        + markdownTable(totalsTable(difference));
    if (!difference.isComplete())
        comment += "**Not compared**: " + grouped(static_cast<long long>(difference.notCompared.size()))
            + " weights; the reasons are in the diff.\n\n";
    if (!difference.isProven())
        comment += "**Not proven**: " + markdownName(notProvenText(comparison)) + "\n\n";
    const Document document = differenceDocument(comparison);
    for (const Section &section : document.sections)
        if (section.id == "modules") {
            Table modules = section.tables.front();
            modules.briefRows = modulesInComment;
            comment += markdownTable(modules);
        }
    return comment + foldedDiff(differenceText(comparison));
}

} // namespace cutaway::report
