// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace cutaway::formats::torchscript {

/// A line of Python source that was scripted.
struct ScriptedLine {
    std::string_view file;
    std::uint32_t line = 0;   ///< from 1
    std::uint32_t column = 0; ///< from 0, in bytes from the start of the line
    std::string_view text;    ///< the line, with its indentation
    bool operator==(const ScriptedLine &) const = default;
};

/// The call stack of traced code: `file.py(3): forward` lines, innermost first.
struct TracedStack {
    std::string_view text;
    bool operator==(const TracedStack &) const = default;
};

using Origin = std::variant<ScriptedLine, TracedStack>;

/// The origins of the code in one source file, from its `.debug_pkl` member.
class SourceRanges {
public:
    /// Reads a pickle and copies what it keeps. Errors: damaged, or from a torch before 1.9, which had no string table.
    static Result<SourceRanges> read(std::span<const std::byte> bytes);

    /// Returns the origin of the code at a byte, as views into this object; nothing for code that torch added.
    std::optional<Origin> at(std::uint32_t codeOffset) const;
    std::size_t size() const { return m_records.size(); }
    /// Returns the size of the stored texts, in bytes.
    std::size_t textSize() const { return m_textSize; }

private:
    friend class SourceRangesReader;

    struct Source {
        std::string file;
        std::string text;
        std::vector<std::uint32_t> lineStarts;
        std::uint32_t firstLine = 0;
        bool isStack = false;
    };
    struct Record {
        std::uint32_t codeOffset = 0;
        std::optional<std::uint32_t> source;
        std::uint32_t start = 0; ///< the offset in the source's text
    };
    static ScriptedLine lineAt(const Source &source, std::uint32_t start);

    std::vector<Source> m_sources;
    std::vector<Record> m_records; ///< in ascending order of their code offsets
    std::size_t m_textSize = 0;
};

} // namespace cutaway::formats::torchscript
