// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/onnx_operators.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

// The file becomes read-only data, like the file of torch's schemas.
asm(".pushsection .rodata\n"
    ".global cutawayOnnxOperators, cutawayOnnxOperatorsEnd\n"
    "cutawayOnnxOperators: .incbin \"" CUTAWAY_ONNX_OPERATORS "\"\n"
    "cutawayOnnxOperatorsEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawayOnnxOperators[];
extern "C" const char cutawayOnnxOperatorsEnd[];

namespace cutaway::ops {

namespace {

/// Takes the text up to a separator, which is removed with it.
std::string_view takeUpTo(std::string_view &text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

template <class Number>
Number numberOr(std::string_view text, Number none)
{
    Number number = none;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Reads a line "13 1-2 1-1 axis=0 keepdims=1 to".
OnnxOperator versionOf(std::string_view line)
{
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    OnnxOperator version{.since = numberOr<std::int64_t>(takeUpTo(line, ' '), 0), .attributes = {}};
    if (line == "deprecated") {
        version.deprecated = true;
        return version;
    }
    std::string_view inputs = takeUpTo(line, ' '), outputs = takeUpTo(line, ' ');
    version.minInputs = numberOr<std::size_t>(takeUpTo(inputs, '-'), 0);
    version.maxInputs = numberOr(inputs, unlimited);
    version.minOutputs = numberOr<std::size_t>(takeUpTo(outputs, '-'), 0);
    version.maxOutputs = numberOr(outputs, unlimited);
    while (!line.empty()) {
        std::string_view attribute = takeUpTo(line, ' ');
        const std::string_view name = takeUpTo(attribute, '=');
        version.attributes.push_back({name, attribute});
    }
    return version;
}

using Table = std::unordered_map<std::string_view, std::vector<OnnxOperator>>;

Table readTable()
{
    Table table;
    std::string_view rest(cutawayOnnxOperators, cutawayOnnxOperatorsEnd);
    while (!rest.empty()) {
        std::string_view line = takeUpTo(rest, '\n');
        const std::string_view name = takeUpTo(line, ' ');
        table[name].push_back(versionOf(line));
    }
    return table;
}

} // namespace

std::span<const OnnxOperator> onnxVersions(std::string_view name)
{
    static const Table table = readTable();
    const auto found = table.find(name);
    return found == table.end() ? std::span<const OnnxOperator>() : found->second;
}

std::optional<std::string> whyNotInOpset(std::string_view name, std::int64_t opset)
{
    const std::span<const OnnxOperator> versions = onnxVersions(name);
    if (versions.empty() || versions.front().since <= opset)
        return std::nullopt;
    return formatted("ONNX has the operator {} from opset {} on, and this model is of opset {}", name,
                     versions.front().since, opset);
}

bool isInEachOpsetOfOnnxRuntime(std::string_view name)
{
    // Exporters, and Cutaway, write LayerNormalization also below the opset that introduced it.
    return name == "LayerNormalization";
}

} // namespace cutaway::ops
