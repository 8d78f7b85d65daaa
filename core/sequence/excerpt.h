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

/// Returns `line` without ANSI colours and without a carriage return at its end. A line without these is returned
/// itself, without a copy; otherwise `storage` holds the result.
std::string_view plainLine(std::string_view line, std::string &storage);

/// A text in a mapped file, which is copied only when it is needed. It has several pieces if the file has prefixes, or
/// lines of other texts, between its lines.
struct Excerpt {
    struct Piece {
        std::uint64_t offset = 0, length = 0;
        bool operator==(const Piece &) const = default;
    };
    File file;
    std::vector<Piece> pieces; ///< entire lines; the last one has no line feed
    bool isIndented = false;   ///< whether each line begins with a tab that is not part of the text

    /// Returns the lines of the text, joined by line feeds, without colour codes.
    std::string text() const;
    std::uint64_t byteCount() const;

    /// Calls visit(std::string_view line) for each line, without the tab that begins it in the file, until `visit`
    /// returns false.
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
