// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/printed_tensor.h"

#include "core/formats/graph_text/read/lines.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cutaway::formats::graph_text {

namespace {

using Abbreviation = std::pair<std::string_view, std::string_view>;

/// The abbreviations in torch.utils._dtype_abbrs.
constexpr std::array<Abbreviation, 21> dtypes{{
    {"bf16", "bfloat16"},
    {"f64", "float64"},
    {"f32", "float32"},
    {"f16", "float16"},
    {"f8e4m3fn", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"},
    {"f8e4m3fnuz", "float8_e4m3fnuz"},
    {"f8e5m2fnuz", "float8_e5m2fnuz"},
    {"f8e8m0fnu", "float8_e8m0fnu"},
    {"c32", "complex32"},
    {"c64", "complex64"},
    {"c128", "complex128"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"b8", "bool"},
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
}};

/// Returns the dtype of an abbreviation or a name: dtypes without abbreviation are printed by name.
std::optional<ir::DType> dtypeOf(std::string_view text)
{
    const auto *const row = std::ranges::find(dtypes, text, &Abbreviation::first);
    return ir::dtypeFromName(row == dtypes.end() ? text : row->second);
}

/// Takes "[4, s0 + 1]" from the text. Nothing, and the whole text is taken, if the closing bracket is missing.
std::optional<PrintedSizes> takeSizes(std::string_view &text)
{
    PrintedSizes sizes;
    int depth = 0;
    std::size_t start = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        if ((c == ',' && depth == 1) || depth == 0) {
            if (const std::string_view size = trimmed(text.substr(start, i - start)); !size.empty())
                sizes.push_back(size);
            start = i + 1;
        }
        if (depth == 0) {
            text.remove_prefix(i + 1);
            return sizes;
        }
    }
    text = {};
    return std::nullopt;
}

} // namespace

std::optional<PrintedTensor> printedTensor(std::string_view text)
{
    const std::size_t bracket = text.find('[');
    const auto dtype = bracket == text.npos ? std::nullopt : dtypeOf(text.substr(0, bracket));
    if (!dtype)
        return std::nullopt;
    text.remove_prefix(bracket);
    PrintedTensor tensor{.dtype = *dtype, .shape = takeSizes(text), .strides = {}, .device = {}};
    if (text.starts_with('['))
        tensor.strides = takeSizes(text);
    tensor.device = text;
    return tensor;
}

} // namespace cutaway::formats::graph_text
