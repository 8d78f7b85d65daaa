// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page/page.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/drawing/markup.h"
#include "core/drawing/svg.h"
#include "core/layout/outline.h"
#include "core/layout/planes/planes.h"
#include "core/print/figures.h"
#include "core/report/page/page_data.h"
#include "core/report/page/palette_css.h"
#include "core/report/report_document.h"
#include "core/run/timing.h"

namespace cutaway::report {

namespace {

constexpr std::string_view pageStyle = {
#include "core/report/page_style_css.inc"
};
constexpr std::string_view controls = {
#include "core/report/page_controls_html.inc"
};
/// The parts of the script: the data, the geometry, the drawing, and the reader's actions.
constexpr std::string_view pageScripts[] = {
    {
#include "core/report/page_data_js.inc"
    },
    {
#include "core/report/page_placing_js.inc"
    },
    {
#include "core/report/page_drawing_js.inc"
    },
    {
#include "core/report/page_inspector_js.inc"
    },
    {
#include "core/report/page_reader_js.inc"
    },
};

std::string element(std::string_view tag, std::string_view text)
{
    return formatted("<{0}>{1}</{0}>", tag, drawing::markup(text));
}

std::string head(const Document &document)
{
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           // Makes sure that the page loads nothing, whatever it contains.
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "script-src 'unsafe-inline'\">\n"
           "<noscript><style>#tools, #path, main { display: none !important; }</style></noscript>\n"
        + element("title", document.title + " – Cutaway") + "\n<style>\n" + paletteCss() + std::string(pageStyle)
        + "</style>\n</head>\n<body>\n";
}

std::string figure(const Headline &figure)
{
    return formatted("<span title=\"{}\"><b>{}</b> {}</span>", drawing::markup(figure.exact),
                     drawing::markup(figure.value), drawing::markup(figure.what));
}

/// Describes the measured runs and their backend.
std::string measured(const run::Timing &times)
{
    const protocol::Conditions &by = times.conditions;
    std::string text = figure({"a run", print::secondsText(times.whole.median),
                               formatted("median of {}", quantity(times.whole.count, "run"))});
    if (const auto sum = times.sum())
        text += figure({"in nodes", print::secondsText(*sum), ""});
    if (!by.libraries.empty())
        text += element("span",
                        formatted("measured by {}{}", sanitized(by.libraries.front()),
                                  by.device.empty() ? "" : " on " + sanitized(by.device)));
    return text;
}

/// Returns the header of the page. `state`: the title of the state that the figures belong to, if there are several.
/// `times`: nullptr if nothing was measured.
std::string header(const Document &document, std::string_view state, const run::Timing *times)
{
    std::string text = "<header>\n" + element("h1", document.title) + "<p>" + drawing::markup(document.subtitle);
    for (const Headline &each : document.headlines)
        text += figure(each);
    if (times)
        text += measured(*times);
    if (!state.empty())
        text += element("span", formatted("figures of {}", state));
    return text + "</p>\n</header>\n";
}

/// Returns the picture for readers without scripts. If it has many boxes, returns a note instead, as it would make the
/// page twice as large for everybody.
std::string withoutScripts(const layout::Diagram &whole)
{
    constexpr std::size_t most = 2000;
    if (whole.boxes.size() > most)
        return formatted("<noscript><p>This page needs scripts. A picture of these {} that needs none is made by "
                         "<code>cutaway-cli draw</code>.</p></noscript>\n",
                         quantity(whole.boxes.size(), "box", "boxes"));
    return "<noscript><p>This page needs scripts to open modules; this is the whole function with all of them "
           "closed.</p>\n<div class=\"diagram\">\n"
        + drawing::svgForPage(whole) + "</div></noscript>\n";
}

} // namespace

Result<std::string> interactivePage(const Subject &subject, const PageAdditions &additions, std::stop_token stop)
{
    const PageStates states(subject, additions);
    const layout::Outline outline = layout::outlineOf(states.function(), false);
    CUTAWAY_TRY(const auto planes,
                layout::layOutPlanes(states.drawn(), states.functionId(), outline, layout::approximateTextWidth,
                                     {.knowledge = states.knowledge(), .hidden = {}}, stop));
    const Document document = reportDocument(states.last());
    std::string page =
        head(document) + header(document, states.titles().empty() ? "" : states.titles().back(), additions.times.get());
    page += withoutScripts(planes.front().diagram);
    page += controls;
    const PageData data = pageData(states, outline, planes);
    page += "<script type=\"application/json\" id=\"data\">" + data.picture + "</script>\n";
    page += "<script type=\"application/json\" id=\"sections\">" + data.inspector + "</script>\n";
    page += "<script>\n\"use strict\";\n";
    for (const std::string_view part : pageScripts)
        page += part;
    return page + "</script>\n</body>\n</html>\n";
}

} // namespace cutaway::report
