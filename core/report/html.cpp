// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/drawing/markup.h"
#include "core/ops/category.h"
#include "core/report/page/palette_css.h"

namespace cutaway::report {

namespace {

constexpr std::string_view style = {
#include "core/report/report_report_css.inc"
};
constexpr std::string_view script = {
#include "core/report/report_report_js.inc"
};

/// The limit of bytes of a headline's value in large type; longer values are set in smaller type.
constexpr std::size_t widestHeadline = 12;

std::string categoryRules()
{
    std::string text;
    for (int i = 0; i < ops::categoryCount; ++i)
        text += formatted(".c{0} {{ fill: var(--c{0}); }}\n", i);
    return text;
}

std::string attribute(std::string_view name, std::string_view value)
{
    return " " + std::string(name) + "=\"" + drawing::markup(value) + "\"";
}

std::string element(std::string_view tag, std::string_view attributes, std::string_view text)
{
    return formatted("<{}{}>{}</{}>", tag, attributes, drawing::markup(text), tag);
}

class Page {
public:
    std::string write(const Document &document, std::string_view diagram)
    {
        head(document);
        m_out += "<header>\n" + element("h1", "", document.title) + element("p", "", document.subtitle) + "\n";
        headlines(document.headlines);
        m_out += "</header>\n";
        contents(document, !diagram.empty());
        m_out += "<main>\n";
        for (const Section &part : document.sections) {
            section(part);
            if (part.id == "summary" && !diagram.empty())
                picture(diagram);
        }
        m_out += "</main>\n<script>\n" + std::string(script) + "</script>\n</body>\n</html>\n";
        return std::move(m_out);
    }

private:
    void head(const Document &document)
    {
        m_out +=
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            // Makes sure that the page loads nothing, whatever it contains.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'\">\n"
            + element("title", "", document.title + " – Cutaway") + "\n<style>\n" + paletteCss() + std::string(style)
            + categoryRules() + "</style>\n</head>\n<body>\n";
    }

    void headlines(const std::vector<Headline> &all)
    {
        m_out += "<div class=\"headlines\">\n";
        for (const Headline &one : all)
            m_out += "<div" + attribute("title", one.exact) + ">"
                + element("strong", one.value.size() > widestHeadline ? " class=\"long\"" : "", one.value)
                + element("span", "", one.what) + "</div>\n";
        m_out += "</div>\n";
    }

    void contents(const Document &document, bool hasDiagram)
    {
        m_out += "<nav>";
        for (const Section &part : document.sections) {
            m_out += element("a", attribute("href", "#" + part.id), part.title);
            if (part.id == "summary" && hasDiagram)
                m_out += element("a", attribute("href", "#graph"), "Graph");
        }
        m_out += "</nav>\n";
    }

    void picture(std::string_view diagram)
    {
        m_out += "<section id=\"graph\">\n<h2>Graph</h2>\n<div class=\"diagram\">\n";
        m_out += diagram;
        m_out += "</div>\n</section>\n";
    }

    void section(const Section &part)
    {
        m_out += "<section" + attribute("id", part.id) + ">\n" + element("h2", "", part.title) + "\n";
        for (const std::string &note : part.notes)
            m_out += element("p", " class=\"note\"", note) + "\n";
        if (!part.plots.empty()) {
            m_out += "<div class=\"plots\">\n";
            for (const Plot &plot : part.plots)
                m_out += plot.svg;
            m_out += "</div>\n";
        }
        for (const Picture &picture : part.pictures)
            m_out += "<div class=\"diagram\">\n" + picture.svg + "</div>\n";
        m_out += "<div class=\"tables\">\n";
        for (const Table &each : part.tables)
            table(each);
        m_out += "</div>\n</section>\n";
    }

    void table(const Table &all)
    {
        m_out += "<div class=\"table\">\n";
        if (!all.title.empty())
            m_out += element("h3", "", all.title) + "\n";
        m_out += all.columns.size() == 2 ? "<table class=\"pairs\">" : "<table>";
        m_out += "\n<thead><tr>";
        for (const Column &column : all.columns)
            m_out += element("th", classAttribute(column), column.title);
        m_out += "</tr></thead>\n<tbody>\n";
        for (const auto &row : all.rows) {
            m_out += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                cell(all.columns[i], row[i]);
            m_out += "</tr>\n";
        }
        m_out += "</tbody>\n</table>\n";
        if (all.leftOut > 0)
            m_out += element(
                "p", " class=\"note\"",
                formatted("The first {} of {} rows.", grouped(static_cast<long long>(all.rows.size())),
                          grouped(static_cast<long long>(all.rows.size()) + static_cast<long long>(all.leftOut))));
        m_out += "</div>\n";
    }

    static std::string classAttribute(const Column &column)
    {
        switch (column.kind) {
        case Column::Kind::Number:
            return " class=\"number\"";
        case Column::Kind::Name:
            return " class=\"name\"";
        case Column::Kind::Text:
            break;
        }
        return {};
    }

    void cell(const Column &column, const Cell &cell)
    {
        std::string attributes = classAttribute(column);
        if (!cell.exact.empty())
            attributes += attribute("title", cell.exact);
        if (cell.order)
            attributes += attribute("data-order", formatted("{:.17g}", *cell.order));
        if (cell.depth > 0)
            attributes += formatted(" data-depth=\"{0}\" style=\"--depth: {0}\"", cell.depth);
        if (cell.link.empty())
            m_out += element("td", attributes, cell.text);
        else
            m_out += "<td" + attributes + ">" + element("a", attribute("href", cell.link), cell.text) + "</td>";
    }

    std::string m_out;
};

} // namespace

std::string html(const Document &document, std::string_view diagram) { return Page().write(document, diagram); }

} // namespace cutaway::report
