// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/recognize.h"

#include "core/trace/read/json_text.h"
#include "core/trace/read/unpacked_file.h"

#include <filesystem>

namespace cutaway::trace {

namespace {

/// The limit of bytes that are examined: the properties of many devices may stand before the events.
constexpr std::size_t examined = 256 << 10;

} // namespace

bool recognizes(const std::string &path)
{
    if (std::error_code error; !std::filesystem::is_regular_file(path, error))
        return false; // reading from a pipe would take its bytes away from the next reader
    auto file = UnpackedFile::open(path);
    if (!file)
        return false;
    const std::string_view text = file->ahead(examined).substr(0, examined);
    const std::size_t first = skipSpace(text, 0);
    if (first >= text.size() || (text[first] != '{' && text[first] != '['))
        return false;
    return text.contains("\"traceEvents\"")
        || (text[first] == '[' && text.contains("\"ph\"") && text.contains("\"ts\""));
}

} // namespace cutaway::trace
