// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/normal_form.h"

#include "core/ir/context.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

struct Alias {
    std::string_view name;
    std::string_view normal;
};

/// Aliases of operators, and what torch 2.6 replaces them by. In-place aliases have a "_" after both names.
constexpr std::array<Alias, 51> aliases{{
    {"absolute", "abs"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arctanh", "atanh"},
    {"clip", "clamp"},
    {"det", "linalg_det"},
    {"divide", "div"},
    {"fix", "trunc"},
    {"ger", "outer"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"inverse", "linalg_inv"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"linalg_matmul", "matmul"},
    {"matrix_exp", "linalg_matrix_exp"},
    {"matrix_power", "linalg_matrix_power"},
    {"moveaxis", "movedim"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"not_equal", "ne"},
    {"orgqr", "linalg_householder_product"},
    {"special_digamma", "digamma"},
    {"special_erf", "erf"},
    {"special_erfc", "erfc"},
    {"special_erfinv", "erfinv"},
    {"special_exp2", "exp2"},
    {"special_expit", "sigmoid"},
    {"special_expm1", "expm1"},
    {"special_gammainc", "igamma"},
    {"special_gammaincc", "igammac"},
    {"special_gammaln", "lgamma"},
    {"special_i0", "i0"},
    {"special_log1p", "log1p"},
    {"special_log_softmax", "log_softmax"},
    {"special_logit", "logit"},
    {"special_logsumexp", "logsumexp"},
    {"special_multigammaln", "mvlgamma"},
    {"special_psi", "digamma"},
    {"special_round", "round"},
    {"special_sinc", "sinc"},
    {"special_softmax", "softmax"},
    {"special_xlogy", "xlogy"},
    {"subtract", "sub"},
    {"swapaxes", "transpose"},
    {"swapdims", "transpose"},
    {"true_divide", "div"},
}};

constexpr std::array<Alias, 22> inPlaceAliases{{
    {"absolute_", "abs_"},       {"arccos_", "acos_"},     {"arccosh_", "acosh_"}, {"arcsin_", "asin_"},
    {"arcsinh_", "asinh_"},      {"arctan_", "atan_"},     {"arctan2_", "atan2_"}, {"arctanh_", "atanh_"},
    {"clip_", "clamp_"},         {"divide_", "div_"},      {"fix_", "trunc_"},     {"greater_", "gt_"},
    {"greater_equal_", "ge_"},   {"less_", "lt_"},         {"less_equal_", "le_"}, {"multiply_", "mul_"},
    {"negative_", "neg_"},       {"not_equal_", "ne_"},    {"subtract_", "sub_"},  {"swapaxes_", "transpose_"},
    {"swapdims_", "transpose_"}, {"true_divide_", "div_"},
}};

std::string_view normalName(std::string_view name)
{
    for (const auto &[other, normal] : aliases)
        if (name == other)
            return normal;
    for (const auto &[other, normal] : inPlaceAliases)
        if (name == other)
            return normal;
    return name;
}

bool isBoolean(const ir::Context &context, const Typed &value)
{
    const auto *number = std::get_if<ir::NumberType>(&context.at(value.type));
    return number && number->kind == ir::NumberType::Kind::Bool;
}

} // namespace

void normalize(const ir::Context &context, OperatorCall &call)
{
    if (call.dialect != "aten" || call.positional.empty())
        return;
    if (ir::tensorType(context, call.positional[0].type)) {
        const bool isOfTensors = call.positional.size() > 1 && ir::tensorType(context, call.positional[1].type);
        if (call.name == "rsub" && isOfTensors) {
            std::swap(call.positional[0], call.positional[1]);
            call.name = "sub";
        }
        call.name = normalName(call.name);
    } else if (call.positional.size() == 2 && isBoolean(context, call.positional[0])
               && isBoolean(context, call.positional[1])) {
        call.name = call.name == "__is__" ? "eq" : call.name == "__isnot__" ? "ne" : call.name;
    }
}

} // namespace cutaway::formats::torchscript
