// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/range_constraints.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

namespace {

/// Reads a bound; nothing for "int_oo", "-int_oo" and anything else.
std::optional<std::int64_t> bound(std::string_view text)
{
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

void apply(ir::Model &model, std::string_view name, std::string_view lower, std::string_view upper)
{
    const auto symbol = std::ranges::find(model.symbols, name, &ir::Symbol::name);
    if (symbol == model.symbols.end()) {
        if (const auto formula = symbolic::parse(name); formula && formula->kind() > symbolic::Kind::Symbol)
            model.metadata.emplace_back("range of " + std::string(name),
                                        (bound(lower) ? std::string(lower) : "…") + " to "
                                            + (bound(upper) ? std::string(upper) : "…"));
        return;
    }
    symbol->min = bound(lower);
    symbol->max = bound(upper);
}

/// Returns the text of the constraints from the graph's metadata, where the exporter writes it, or the model's.
std::string constraintsOf(const ir::Model &model)
{
    constexpr std::string_view key = "pkg.torch.export.ExportedProgram.range_constraints";
    for (const ir::Attachment &attachment : model.attachments)
        if (attachment.name == "main graph: " + std::string(key))
            return attachment.text.value_or("");
    for (const auto &[name, text] : model.metadata)
        if (name == key)
            return text;
    return {};
}

} // namespace

void readRangeConstraints(ir::Model &model)
{
    constexpr std::string_view open = ": VR[";
    const std::string constraints = constraintsOf(model);
    const std::string_view text = constraints;
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 1)) {
        const std::size_t before = text.rfind("], ", at); // a formula may contain blanks
        const std::size_t start = before == std::string_view::npos ? text.find_last_of('{', at) + 1 : before + 3;
        const std::size_t comma = text.find(", ", at), close = text.find(']', at);
        if (comma < close && close != std::string_view::npos)
            apply(model, text.substr(start, at - start), text.substr(at + open.size(), comma - at - open.size()),
                  text.substr(comma + 2, close - comma - 2));
    }
}

} // namespace cutaway::formats::onnx
