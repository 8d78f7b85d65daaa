// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/rank.h"

#include <charconv>

namespace cutaway::sequence {

namespace {

/// Returns the number after a word; nothing if there is none.
std::optional<int> numberBehind(std::string_view name, std::string_view word)
{
    const std::size_t at = name.find(word);
    int number = 0;
    if (at == std::string_view::npos
        || std::from_chars(name.data() + at + word.size(), name.data() + name.size(), number).ec != std::errc()
        || number < 0)
        return std::nullopt;
    return number;
}

} // namespace

std::optional<int> rankIn(const std::filesystem::path &log)
{
    const std::string folder = log.parent_path().filename().string();
    return numberBehind(log.filename().string(), "_rank_").or_else([&] {
        return folder.starts_with("rank_") ? numberBehind(folder, "rank_") : std::nullopt;
    });
}

} // namespace cutaway::sequence
