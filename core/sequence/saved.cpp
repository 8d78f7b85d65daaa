// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/saved.h"

#include "core/base/checked.h"
#include "core/formats/graph_text/read/printed_tensor.h"
#include "core/sequence/printed.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>

namespace cutaway::sequence {

namespace {

PrintedSize sizeIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size())
        return number;
    return std::string(text);
}

/// Returns the log of a part: the beginning of its addresses. The source of a step is not always the log, since in a
/// page of tlparse each graph has a file of its own.
std::string_view logOf(const Sequence &part)
{
    const std::string_view address = part.steps.empty() ? std::string_view() : part.steps.front().address;
    return address.substr(0, address.rfind('#'));
}

} // namespace

const Step *aotGraph(const Sequence &part)
{
    const std::string_view name = part.part == Part::Backward ? "aot_backward_graph" : "aot_forward_graph";
    const auto isAot = [](const Step &step) { return step.text && step.kind == Kind::Aot; };
    auto found = std::ranges::find_if(part.steps, [&](const Step &step) { return isAot(step) && step.name == name; });
    if (found == part.steps.end()) // in a text log the name is another: titles have numbers
        found = std::ranges::find_if(part.steps, isAot);
    return found == part.steps.end() ? nullptr : &*found;
}

std::optional<PrintedType> printedType(std::string_view annotation)
{
    const auto tensor = formats::graph_text::printedTensor(annotation);
    if (!tensor || !tensor->shape)
        return std::nullopt;
    PrintedType type{tensor->dtype, {}};
    std::ranges::transform(*tensor->shape, std::back_inserter(type.shape), sizeIn);
    return type;
}

std::optional<std::int64_t> PrintedType::byteCount() const
{
    std::optional<std::int64_t> count = 1;
    for (const PrintedSize &size : shape) {
        const auto *number = std::get_if<std::int64_t>(&size);
        count = number && *number >= 0 && count ? checkedMultiply(*count, *number) : std::nullopt;
    }
    return count ? ir::byteSize(dtype, *count) : std::nullopt;
}

std::vector<SavedValue> savedValues(const Sequence &forward, const Sequence &backward)
{
    const Step *before = aotGraph(forward), *after = aotGraph(backward);
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
            && each.rank == forward.rank && logOf(each) == logOf(forward);
    });
    return forward.part == Part::Forward && found != document.sequences.end() ? &*found : nullptr;
}

} // namespace cutaway::sequence
