// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/onnx_inputs.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <vector>

// The file becomes read-only data, like the file of torch's schemas.
asm(".pushsection .rodata\n"
    ".global cutawayOnnxInputs, cutawayOnnxInputsEnd\n"
    "cutawayOnnxInputs: .incbin \"" CUTAWAY_ONNX_INPUTS "\"\n"
    "cutawayOnnxInputsEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayOnnxInputs[];
extern "C" const char cutawayOnnxInputsEnd[];

namespace cutaway::ops {

namespace {

struct InputNames {
    std::int64_t since = 0;
    std::vector<std::string_view> names; ///< a star after the last name: all further inputs have that name
};

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

/// Returns the versions of each operator, oldest first.
std::unordered_map<std::string_view, std::vector<InputNames>> readInputNames()
{
    std::unordered_map<std::string_view, std::vector<InputNames>> table;
    std::string_view rest(cutawayOnnxInputs, cutawayOnnxInputsEnd);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<std::string_view> words = wordsOf(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        InputNames version{.names = {words.begin() + 2, words.end()}};
        std::from_chars(words[1].data(), words[1].data() + words[1].size(), version.since);
        table[words[0]].push_back(std::move(version));
    }
    return table;
}

} // namespace

std::string_view onnxInputName(std::string_view op, std::int64_t opset, std::size_t position)
{
    static const auto table = readInputNames();
    const auto versions = table.find(op);
    if (versions == table.end())
        return {};
    const auto later = std::ranges::upper_bound(versions->second, opset, {}, &InputNames::since);
    if (later == versions->second.begin())
        return {};
    const std::vector<std::string_view> &names = std::prev(later)->names;
    const std::string_view last = names.back();
    if (last.ends_with('*') && position + 1 >= names.size())
        return last.substr(0, last.size() - 1);
    return position < names.size() ? names[position] : std::string_view();
}

} // namespace cutaway::ops
