// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/saved.h"

#include "core/base/checked.h"
#include "core/ir/dtype.h"
#include "core/sequence/printed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace cutaway::sequence {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> shortNames{{
    {"f16", "float16"},
    {"bf16", "bfloat16"},
    {"f32", "float32"},
    {"f64", "float64"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
    {"b8", "bool"},
    {"c32", "complex32"},
    {"c64", "complex64"},
    {"c128", "complex128"},
    {"f8e4m3fn", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"},
}};

std::string_view trimmed(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

PrintedSize sizeIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size())
        return number;
    return std::string(text);
}

/// The sizes up to the bracket that closes those in front of `text`.
std::vector<PrintedSize> sizesIn(std::string_view text)
{
    std::vector<PrintedSize> sizes;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (depth < 0 || (c == ',' && depth == 0)) {
            const std::string_view size = trimmed(text.substr(start, i - start));
            if (!size.empty())
                sizes.push_back(sizeIn(size));
            start = i + 1;
        }
        if (depth < 0)
            break;
    }
    return sizes;
}

/// The graph in which autograd's two halves are first apart.
const Step *aotGraph(const Sequence &sequence, std::string_view name)
{
    const auto isAot = [&](const Step &step) { return step.text && step.kind == Kind::Aot && step.name == name; };
    auto found = std::ranges::find_if(sequence.steps, isAot);
    if (found == sequence.steps.end()) // a log as text has titles with numbers
        found =
            std::ranges::find_if(sequence.steps, [](const Step &step) { return step.text && step.kind == Kind::Aot; });
    return found == sequence.steps.end() ? nullptr : &*found;
}

std::string_view fileOf(const Sequence &sequence)
{
    return sequence.steps.empty() ? std::string_view() : sequence.steps.front().source;
}

} // namespace

std::optional<PrintedType> printedType(std::string_view annotation)
{
    const std::size_t open = annotation.find('[');
    const auto *found =
        std::ranges::find(shortNames, annotation.substr(0, open), [](const auto &pair) { return pair.first; });
    if (open == std::string_view::npos || found == shortNames.end())
        return std::nullopt;
    return PrintedType{std::string(found->second), sizesIn(annotation.substr(open + 1))};
}

std::optional<std::int64_t> PrintedType::byteCount() const
{
    const auto type = ir::dtypeFromName(dtype);
    if (!type)
        return std::nullopt;
    std::optional<std::int64_t> count = 1;
    for (const PrintedSize &size : shape) {
        const auto *number = std::get_if<std::int64_t>(&size);
        count = number && *number >= 0 && count ? checkedMultiply(*count, *number) : std::nullopt;
    }
    return count ? ir::byteSize(*type, *count) : std::nullopt;
}

std::vector<SavedValue> savedValues(const Sequence &forward, const Sequence &backward)
{
    const Step *before = aotGraph(forward, "aot_forward_graph"), *after = aotGraph(backward, "aot_backward_graph");
    if (!after)
        return {};
    const PrintedGraph made = before ? printedGraph(*before->text) : PrintedGraph();
    const PrintedGraph used = printedGraph(*after->text);
    std::unordered_map<std::string_view, std::vector<std::string>> readers;
    for (const PrintedValue &node : used.nodes)
        for (const std::string_view name : namesIn(node.code))
            readers[name].push_back(node.name);
    std::vector<SavedValue> saved;
    for (const PrintedValue &input : used.inputs) {
        if (input.name.starts_with("tangents"))
            continue;
        const auto isIt = [&](const PrintedValue &value) { return value.name == input.name; };
        const bool isMade = std::ranges::any_of(made.nodes, isIt) || std::ranges::any_of(made.inputs, isIt);
        saved.push_back({input.name, printedType(input.annotation), isMade ? std::optional(input.name) : std::nullopt,
                         readers[input.name]});
    }
    return saved;
}

const Sequence *backwardOf(const Document &document, const Sequence &forward)
{
    const auto found = std::ranges::find_if(document.sequences, [&](const Sequence &each) {
        return each.part == Part::Backward && each.compileId && each.compileId == forward.compileId
            && each.rank == forward.rank && fileOf(each) == fileOf(forward);
    });
    return forward.part == Part::Forward && found != document.sequences.end() ? &*found : nullptr;
}

} // namespace cutaway::sequence
