// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::report {

/// A cell of a table. Texts of a report are plain; the writer of each format escapes them.
struct Cell {
    std::string text;                 ///< "8.18 GFLOP"
    std::string exact = {};           ///< the exact value, "8,178,368,512", if `text` is rounded
    std::optional<double> order = {}; ///< the sort key; nothing: the rows are sorted by `text`
    int depth = 0;                    ///< nesting level in a tree
    std::string link = {};            ///< a page to link to, relative to the report: "zoo.models/0001-net.html"
};

/// The title of a column, and how its cells are written.
struct Column {
    enum class Kind : std::uint8_t { Text, Name, Number }; ///< Name is for names as the file spells them
    std::string title;
    Kind kind = Kind::Text;
    std::string exactTitle = {}; ///< the title for exact values, if it differs: "FLOP"
};

/// Rows with one cell per column.
struct Table {
    std::string title = {}; ///< "" if the section's title suffices
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t briefRows = 20; ///< the number of rows shown in text formats
    std::size_t leftOut = 0;    ///< the number of rows left out to keep the report short
};

/// A plot, for pages and for text.
struct Plot {
    std::string svg;  ///< the plot as SVG, coloured only by the classes of resources/report/report.css
    std::string text; ///< the plot as a line of characters; "" if there is none
};

/// A diagram: embedded on a page, linked by name in text.
struct Picture {
    std::string svg;  ///< the picture, from svgForPage()
    std::string file; ///< the file beside the report: "03-dead-code.svg"
};

/// A part of a report: notes, then plots, tables and pictures.
struct Section {
    std::string id, title;
    std::vector<std::string> notes = {};
    std::vector<Plot> plots = {};
    std::vector<Table> tables = {};
    std::vector<Picture> pictures = {};
};

/// A figure shown in large type.
struct Headline {
    std::string what, value, exact;
};

/// A whole report before it is formatted; each format has a writer.
struct Document {
    std::string title, subtitle;
    std::vector<Headline> headlines;
    std::vector<Section> sections;
};

} // namespace cutaway::report
