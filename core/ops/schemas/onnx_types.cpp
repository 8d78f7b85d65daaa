// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/onnx_types.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

// The file becomes read-only data, like the file of torch's schemas.
asm(".pushsection .rodata\n"
    ".global cutawayOnnxTypes, cutawayOnnxTypesEnd\n"
    "cutawayOnnxTypes: .incbin \"" CUTAWAY_ONNX_TYPES "\"\n"
    "cutawayOnnxTypesEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayOnnxTypes[];
extern "C" const char cutawayOnnxTypesEnd[];

namespace cutaway::ops {

namespace {

std::string_view cutOff(std::string_view &text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

/// Reads "i,abcd1,abcd1*"; returns whether the last one is endless.
bool readFormals(std::string_view text, std::vector<std::string_view> &formals)
{
    const bool isEndless = text.ends_with('*');
    if (isEndless)
        text.remove_suffix(1);
    while (!text.empty() && text != "-")
        formals.push_back(cutOff(text, ','));
    return isEndless;
}

/// Reads "axis:i!".
OnnxAttributeType attributeOf(std::string_view text)
{
    OnnxAttributeType attribute;
    attribute.isRequired = text.ends_with('!');
    attribute.name = cutOff(text, ':');
    attribute.kind = text.empty() ? '\0' : text.front();
    return attribute;
}

/// Reads a line "13 ajk1,g ajk1 axis:i!".
OnnxTypes typesOf(std::string_view line)
{
    OnnxTypes types;
    const std::string_view since = cutOff(line, ' ');
    std::from_chars(since.data(), since.data() + since.size(), types.since);
    types.endlessInputs = readFormals(cutOff(line, ' '), types.inputs);
    types.endlessOutputs = readFormals(cutOff(line, ' '), types.outputs);
    while (!line.empty())
        types.attributes.push_back(attributeOf(cutOff(line, ' ')));
    return types;
}

using TypeTable = std::unordered_map<std::string_view, std::vector<OnnxTypes>>;

TypeTable readTypes()
{
    TypeTable table;
    std::string_view rest(cutawayOnnxTypes, cutawayOnnxTypesEnd);
    while (!rest.empty()) {
        std::string_view line = cutOff(rest, '\n');
        const std::string_view name = cutOff(line, ' ');
        table[name].push_back(typesOf(line));
    }
    return table;
}

std::string_view at(const std::vector<std::string_view> &formals, bool isEndless, std::size_t position)
{
    if (isEndless && !formals.empty())
        position = std::min(position, formals.size() - 1);
    return position < formals.size() ? formals[position] : std::string_view();
}

} // namespace

std::string_view OnnxTypes::input(std::size_t position) const { return at(inputs, endlessInputs, position); }

std::string_view OnnxTypes::output(std::size_t position) const { return at(outputs, endlessOutputs, position); }

std::optional<char> sharedType(std::string_view letters)
{
    const bool isShared = !letters.empty() && letters.back() >= '1' && letters.back() <= '9';
    return isShared ? std::optional(letters.back()) : std::nullopt;
}

const OnnxTypes *onnxTypesIn(std::string_view name, std::int64_t opset)
{
    static const TypeTable table = readTypes();
    const auto found = table.find(name);
    if (found == table.end())
        return nullptr;
    const auto later = std::ranges::upper_bound(found->second, opset, {}, &OnnxTypes::since);
    return later == found->second.begin() ? nullptr : &*std::prev(later);
}

} // namespace cutaway::ops
