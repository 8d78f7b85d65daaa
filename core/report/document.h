// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::report {

/// A report before it is formatted. Texts are plain; each writer escapes them.
struct Cell {
    std::string text;                 ///< "8.18 GFLOP"
    std::string exact = {};           ///< "8,178,368,512", if `text` is rounded
    std::optional<double> order = {}; ///< sort key; without it `text` is the key
    int depth = 0;                    ///< nesting level in a tree
    std::string link = {};            ///< the page that it leads to, relative to the report: "zoo.models/0001-net.html"
};

/// The title of a column, and how its cells are written.
struct Column {
    enum class Kind : std::uint8_t { Text, Name, Number }; ///< Name: a name of the file, in its spelling
    std::string title;
    Kind kind = Kind::Text;
    std::string exactTitle = {}; ///< title of the column of exact values, if they need one: "FLOP"
};

/// Rows with as many cells as there are columns.
struct Table {
    std::string title = {}; ///< "" if the section's title suffices
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t briefRows = 20; ///< rows shown in text formats
    std::size_t leftOut = 0;    ///< rows left out to keep the report short
};

/// A plot, for pages and for text.
struct Plot {
    std::string svg;  ///< coloured by the classes of resources/report/report.css only
    std::string text; ///< the plot as a line of characters, or ""
};

/// A diagram: embedded on a page, linked by name in text.
struct Picture {
    std::string svg;  ///< from svgForPage()
    std::string file; ///< "03-dead-code.svg", next to the report
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

/// A whole report, which the writer of each form formats.
struct Document {
    std::string title, subtitle;
    std::vector<Headline> headlines;
    std::vector<Section> sections;
};

} // namespace cutaway::report
