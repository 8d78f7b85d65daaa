// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/read/unpacked_file.h"

namespace cutaway::trace {

/// The entries of lists and objects in a file, which are read one after the other.
class JsonEntries {
public:
    explicit JsonEntries(UnpackedFile file) : m_file(std::move(file)) { }

    /// The file at the position of the next entry.
    UnpackedFile &file() { return m_file; }
    const UnpackedFile &file() const { return m_file; }
    /// An entry has more than limits::maxValue, so that it is not read.
    bool isValueTooLong() const { return m_isValueTooLong; }

    enum class Next : std::uint8_t { Value, End, Cut };
    /// Goes to the next value of a list or object whose opening bracket is behind.
    Next next();
    /// The text of the value at the position, which is passed; nothing if the file ends in it, or it is too long.
    std::optional<std::string_view> value();
    /// Passes over a list or an object that is no event, entry by entry: it may be long. False: it does not end.
    bool skipContainer();

private:
    UnpackedFile m_file;
    bool m_isValueTooLong = false;
};

} // namespace cutaway::trace
