// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace cutaway::ops {

namespace {

/// Kinds whose operators are not all called alike. A name without a dialect means that name in every dialect.
constexpr auto kinds = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"conv",
     "conv1d conv2d conv3d convolution cudnn_convolution mkldnn_convolution miopen_convolution "
     "convolution_overrideable thnn_conv2d"},
    {"convtranspose", "conv_transpose1d conv_transpose2d conv_transpose3d"},
    {"matmul", "mm bmm linalg_matmul"},
    {"gemm", "aten::addmm"},
    {"sdpa", "scaled_dot_product_attention onnx::Attention"},

    {"batchnorm",
     "BatchNormalization native_batch_norm native_batch_norm_legit native_batch_norm_legit_no_training "
     "batch_norm_impl_index batch_norm_with_update batch_norm_no_update cudnn_batch_norm miopen_batch_norm"},
    {"layernorm", "LayerNormalization native_layer_norm"},
    {"groupnorm", "GroupNormalization native_group_norm"},
    {"instancenorm", "InstanceNormalization"},
    {"rmsnorm", "RMSNormalization SimplifiedLayerNormalization fused_rms_norm"},

    {"maxpool",
     "max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices"},
    {"avgpool", "avg_pool1d avg_pool2d avg_pool3d AveragePool"},
    {"adaptiveavgpool", "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d GlobalAveragePool"},
    {"adaptivemaxpool", "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d GlobalMaxPool"},

    {"softmax", "special_softmax safe_softmax"},
    {"logsoftmax", "special_log_softmax"},
    {"sigmoid", "special_expit"},
    {"dropout", "feature_dropout alpha_dropout feature_alpha_dropout native_dropout"},

    {"sub", "subtract isub"},
    {"add", "iadd"},
    {"mul", "multiply imul"},
    {"div", "divide true_divide truediv"},
    {"neg", "negative"},
    {"abs", "absolute"},
    {"clamp", "clip"},
    {"eq", "onnx::Equal"},
    {"ne", "not_equal"},
    {"gt", "greater"},
    {"ge", "greater_equal GreaterOrEqual"},
    {"lt", "less"},
    {"le", "less_equal LessOrEqual"},
    {"logicaland", "onnx::And"},
    {"logicalor", "onnx::Or"},
    {"logicalxor", "onnx::Xor"},
    {"logicalnot", "onnx::Not"},

    {"alias", "onnx::Identity detach"},
    {"cast", "aten::to to_copy onnx::Cast prims::convert_element_type"},
    {"reshape", "view unsafe_view reshape_alias"},
    {"permute", "onnx::Transpose prims::transpose"},
    {"transpose", "swapaxes swapdims"},
    {"cat", "concat concatenate"},
    {"pad", "constant_pad_nd"},
    {"arange", "onnx::Range"},
    {"gather", "onnx::GatherElements"},
    {"indexselect", "onnx::Gather"},
    {"scatter", "onnx::ScatterElements"},
    {"numel", "onnx::Size"},

    {"sum", "onnx::ReduceSum"},
    {"mean", "onnx::ReduceMean"},
    {"amax", "onnx::ReduceMax"},
    {"amin", "onnx::ReduceMin"},
    {"prod", "onnx::ReduceProd"},
    {"maximum", "onnx::Max"},
    {"minimum", "onnx::Min"},
    {"sumofall", "onnx::Sum"},
    {"meanofall", "onnx::Mean"},
});

/// Names of aten operators that mean one and the same with the same arguments, the plain one first.
constexpr auto aliases = std::to_array<std::string_view>({
    "abs absolute",
    "neg negative",
    "sub subtract",
    "mul multiply",
    "div divide true_divide",
    "clamp clip",
    "ne not_equal",
    "gt greater",
    "ge greater_equal",
    "lt less",
    "le less_equal",
    "acos arccos",
    "acosh arccosh",
    "asin arcsin",
    "asinh arcsinh",
    "atan arctan",
    "atan2 arctan2",
    "atanh arctanh",
    "trunc fix",
    "cat concat concatenate",
    "matmul linalg_matmul",
    "det linalg_det",
    "outer ger",
    "movedim moveaxis",
    "transpose swapaxes swapdims",
    "erf special_erf",
    "erfc special_erfc",
    "erfinv special_erfinv",
    "exp2 special_exp2",
    "expm1 special_expm1",
    "sigmoid special_expit",
    "lgamma special_gammaln",
    "digamma special_psi",
    "i0 special_i0",
    "log1p special_log1p",
    "logit special_logit",
    "logsumexp special_logsumexp",
    "polygamma special_polygamma",
    "round special_round",
    "sinc special_sinc",
    "xlogy special_xlogy",
    "rad2deg degrees",
    "vstack row_stack",
});

std::string squeezed(std::string_view name)
{
    std::string result;
    for (const char c : name)
        if (c != '_')
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string_view withoutEndings(std::string_view name)
{
    if (name.ends_with("_copy") && name != "_to_copy")
        name.remove_suffix(5);
    return name;
}

template <class Visit>
void forEachWord(std::string_view text, const Visit &visit)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

using Names = std::unordered_map<std::string, std::string_view>;

/// By "onnx::Max" as it is written, and by "convolution" squeezed.
const Names &kindsByName()
{
    static const Names made = [] {
        Names names;
        for (const auto &[kind, words] : kinds)
            forEachWord(words, [&](std::string_view word) {
                names.emplace(word.contains("::") ? std::string(word) : squeezed(word), kind);
            });
        return names;
    }();
    return made;
}

const Names &plainNames()
{
    static const Names made = [] {
        Names names;
        for (const std::string_view line : aliases) {
            const std::string_view first = line.substr(0, line.find(' '));
            forEachWord(line, [&](std::string_view word) { names.emplace(word, first); });
        }
        return names;
    }();
    return made;
}

} // namespace

std::string kindOf(std::string_view dialect, std::string_view name)
{
    const std::string_view plain = withoutEndings(name);
    const Names &known = kindsByName();
    if (const auto found = known.find(std::string(dialect).append("::").append(plain)); found != known.end())
        return std::string(found->second);
    std::string word = squeezed(plain);
    const auto found = known.find(word);
    return found == known.end() ? word : std::string(found->second);
}

std::string_view plainNameOf(std::string_view dialect, std::string_view name)
{
    if (dialect != "aten")
        return name;
    const auto found = plainNames().find(std::string(name));
    return found == plainNames().end() ? name : found->second;
}

} // namespace cutaway::ops
