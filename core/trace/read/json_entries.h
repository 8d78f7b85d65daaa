// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/read/unpacked_file.h"

namespace cutaway::trace {

/// Reads the entries of lists and objects in a file one after the other.
class JsonEntries {
public:
    explicit JsonEntries(UnpackedFile file) : m_file(std::move(file)) { }

    /// Returns the file, at the position of the next entry.
    UnpackedFile &file() { return m_file; }
    const UnpackedFile &file() const { return m_file; }
    /// Whether an entry is longer than limits::maxValue, so that it was not read.
    bool isValueTooLong() const { return m_isValueTooLong; }

    enum class Next : std::uint8_t { Value, End, Cut };
    /// Moves to the next value of a list or object whose opening bracket was read.
    Next next();
    /// Reads the text of the value at the position; nothing if the file ends in it, or it is too long.
    std::optional<std::string_view> value();
    /// Skips a list or an object that is no event, entry by entry: it may be long. Returns false if it does not end.
    bool skipContainer();

private:
    UnpackedFile m_file;
    bool m_isValueTooLong = false;
};

} // namespace cutaway::trace
