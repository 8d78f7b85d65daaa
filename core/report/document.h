// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::report {

/// A report before it has a form. Texts are plain: whoever writes them escapes them.
struct Cell {
    std::string text;                 ///< "8.18 GFLOP"
    std::string exact = {};           ///< "8,178,368,512", where the text is not
    std::optional<double> order = {}; ///< what the rows are sorted by; else the text is
    int depth = 0;                    ///< of an entry of a tree
};

struct Column {
    enum class Kind : std::uint8_t { Text, Name, Number }; ///< a name is of the file, in its spelling
    std::string title;
    Kind kind = Kind::Text;
    std::string exactTitle = {}; ///< of the exact values, where they need a column of their own: "FLOP"
};

struct Table {
    std::string title = {}; ///< "" where the section's says it
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t briefRows = 20; ///< as many for somebody who reads it as text
    std::size_t leftOut = 0;    ///< rows that a report would be too long with
};

struct Plot {
    std::string svg; ///< without a colour of its own: by the classes of resources/report/report.css
    std::string text;         ///< the same in a line of characters, or ""
};

/// A diagram: drawn on a page, named where there is only text.
struct Picture {
    std::string svg; ///< of svgForPage()
    std::string file;         ///< "03-dead-code.svg", beside the report
};

struct Section {
    std::string id, title;
    std::vector<std::string> notes = {};
    std::vector<Plot> plots = {};
    std::vector<Table> tables = {};
    std::vector<Picture> pictures = {};
};

/// A figure worth a large type.
struct Headline {
    std::string what, value, exact;
};

struct Document {
    std::string title, subtitle;
    std::vector<Headline> headlines;
    std::vector<Section> sections;
};

} // namespace cutaway::report
