// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/excerpt.h"

namespace cutaway::sequence {

namespace {

constexpr char escape = '\x1b';

/// Returns the length of an ANSI control sequence at the start of the text: ESC [ parameters, a letter.
std::size_t controlLength(std::string_view text)
{
    if (text.size() < 2 || text[1] != '[')
        return 1;
    const std::size_t end = text.find_first_not_of("0123456789;:?<=>! ", 2);
    return end == std::string_view::npos ? text.size() : end + 1;
}

} // namespace

std::string_view textOf(const MappedFile &file)
{
    const auto bytes = file.bytes();
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::string_view plainLine(std::string_view line, std::string &storage)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (!line.contains(escape))
        return line;
    storage.clear();
    while (!line.empty()) {
        const std::size_t plain = std::min(line.find(escape), line.size());
        storage += line.substr(0, plain);
        line.remove_prefix(plain);
        if (!line.empty())
            line.remove_prefix(controlLength(line));
    }
    return storage;
}

std::uint64_t Excerpt::byteCount() const
{
    std::uint64_t sum = 0;
    for (const Piece &piece : pieces)
        sum += piece.length + 1;
    return sum;
}

std::string Excerpt::text() const
{
    std::string text, storage;
    text.reserve(byteCount());
    forEachLine([&](std::string_view line) {
        text += plainLine(line, storage);
        text += '\n';
        return true;
    });
    if (!text.empty())
        text.pop_back();
    return text;
}

} // namespace cutaway::sequence
