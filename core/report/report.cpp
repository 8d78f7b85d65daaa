// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/whole_file.h"
#include "core/drawing/svg.h"
#include "core/layout/layout.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/nodes_csv.h"
#include "core/report/report_document.h"

namespace cutaway::report {

namespace {

/// The limit of bytes of the diagram on a page, as SVG: a larger one makes the page slow; `draw` exports it instead.
constexpr std::size_t maxDiagramSize = 3'000'000;

Result<std::string> page(const Subject &subject, const Document &document, const std::stop_token &stop)
{
    const auto expansion = layout::readableExpansion(subject.model, subject.function);
    CUTAWAY_TRY(const auto diagram,
                layout::layOut(subject.model, subject.function, expansion, layout::approximateTextWidth, {}, stop));
    const std::string picture = drawing::svgForPage(diagram);
    return html(document, picture.size() <= maxDiagramSize ? picture : "");
}

Result<std::string> textOf(const Subject &subject, bool onlySubject, const std::string &suffix, std::stop_token stop)
{
    if (suffix == ".json")
        return inspectJson(subject.model, subject.given, onlySubject ? std::optional(subject.function) : std::nullopt,
                           subject.additions)
            + "\n";
    const Form form = suffix == ".md" ? Form::Markdown : suffix == ".html" ? Form::Html : Form::Csv;
    return report(subject, form, std::move(stop));
}

} // namespace

Result<std::string> report(const Subject &subject, Form form, std::stop_token stop)
{
    const Material material(subject);
    if (form == Form::Csv)
        return nodesCsv(material);
    const Document document = reportDocument(material);
    return form == Form::Html ? page(subject, document, stop) : markdown(document);
}

Result<void> writeReport(const Subject &subject, bool onlySubject, const std::filesystem::path &out,
                         std::stop_token stop)
{
    const std::string suffix = out.extension().string();
    if (!isReportSuffix(suffix))
        return std::unexpected(
            Error{ErrorKind::Usage,
                  "unknown kind of report: the name ends in \"" + suffix + "\", expected .md, .html, .json or .csv",
                  out.string()});
    CUTAWAY_TRY(const auto text, textOf(subject, onlySubject, suffix, std::move(stop)));
    return writeWholeFile(out, text);
}

bool isReportSuffix(std::string_view suffix)
{
    return suffix == ".md" || suffix == ".html" || suffix == ".csv" || suffix == ".json";
}

} // namespace cutaway::report
