// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mapped_file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::sequence {

using File = std::shared_ptr<const MappedFile>;

std::string_view textOf(const MappedFile &file);

/// `line` without ANSI colours and a carriage return at its end. A line without them costs no copy: it is returned
/// itself; otherwise `storage` holds the result.
std::string_view plainLine(std::string_view line, std::string &storage);

/// A text that is part of a mapped file and is made only when it is wanted. It is in pieces where lines of other
/// writers lie between.
struct Excerpt {
    struct Piece {
        std::uint64_t offset = 0, length = 0;
        bool operator==(const Piece &) const = default;
    };
    File file;
    std::vector<Piece> pieces; ///< whole lines, without the line feed at the end
    bool isIndented = false;   ///< a tab stands before each line, which is not part of the text

    /// Its lines, joined by line feeds; without colours.
    std::string text() const;
    std::uint64_t byteCount() const;

    /// Calls visit(std::string_view line) for each line, without the tab that begins it in the file, until it returns
    /// false.
    template <class Visit>
    void forEachLine(Visit &&visit) const
    {
        const std::string_view all = textOf(*file);
        for (const Piece &piece : pieces) {
            std::string_view rest = all.substr(piece.offset, piece.length);
            for (bool isMore = true; isMore;) {
                const std::size_t end = rest.find('\n');
                std::string_view line = rest.substr(0, end);
                isMore = end != std::string_view::npos;
                rest.remove_prefix(isMore ? end + 1 : rest.size());
                line.remove_prefix(isIndented && line.starts_with('\t') ? 1 : 0);
                if (!visit(line))
                    return;
            }
        }
    }
};

} // namespace cutaway::sequence
