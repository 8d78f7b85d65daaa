// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/drawing/svg.h"
#include "core/layout/layout.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/nodes_csv.h"
#include "core/report/report_document.h"

namespace cutaway::report {

namespace {

/// A larger diagram makes the page slow; `draw` exports it instead.
constexpr std::size_t maxDiagramSize = 3'000'000;

Result<std::string> page(const Subject &subject, const Document &document, const std::stop_token &stop)
{
    const auto expansion = layout::readableExpansion(subject.model, subject.function);
    const auto diagram =
        layout::layOut(subject.model, subject.function, expansion, layout::approximateTextWidth, {}, stop);
    if (!diagram)
        return std::unexpected(diagram.error());
    const std::string picture = drawing::svgForPage(*diagram);
    return html(document, picture.size() <= maxDiagramSize ? picture : "");
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

} // namespace cutaway::report
