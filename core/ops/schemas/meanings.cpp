// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/meanings.h"

#include <algorithm>
#include <string>
#include <unordered_map>

// The file becomes read-only data, like the file of torch's schemas.
asm(".pushsection .rodata\n"
    ".global cutawayMeanings, cutawayMeaningsEnd\n"
    "cutawayMeanings: .incbin \"" CUTAWAY_MEANINGS "\"\n"
    "cutawayMeaningsEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayMeanings[];
extern "C" const char cutawayMeaningsEnd[];

namespace cutaway::ops {

namespace {

std::string normalized(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        if (c != '_')
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return plain;
}

std::vector<Meaning> readMeanings()
{
    std::vector<Meaning> table;
    std::string_view rest(cutawayMeanings, cutawayMeaningsEnd);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t colon = line.find(": ");
        Meaning meaning{.names = {}, .sentence = line.substr(colon + 2)};
        line = line.substr(0, colon);
        while (!line.empty()) {
            const std::size_t stop = std::min(line.find(' '), line.size());
            meaning.names.push_back(line.substr(0, stop));
            line.remove_prefix(std::min(stop + 1, line.size()));
        }
        table.push_back(std::move(meaning));
    }
    return table;
}

} // namespace

const std::vector<Meaning> &meanings()
{
    static const std::vector<Meaning> table = readMeanings();
    return table;
}

std::string_view meaningOfName(std::string_view name)
{
    static const auto byName = [] {
        std::unordered_map<std::string, std::string_view> table;
        for (const Meaning &meaning : meanings())
            for (const std::string_view each : meaning.names)
                table.emplace(normalized(each), meaning.sentence);
        return table;
    }();
    const auto found = byName.find(normalized(name));
    return found == byName.end() ? std::string_view() : found->second;
}

} // namespace cutaway::ops
