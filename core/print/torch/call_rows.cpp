// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/call_rows.h"

#include "core/base/formatted.h"
#include "core/rules/rule_table.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

// The rows of calls; those of one operator are tried in this order.
constexpr CallRow callRowTable[] = {
    {"aten::Complex", "", "complex($0, $1)"},
    {"aten::ScalarImplicit", "", "$0.item()"},
    {"aten::__and__ aten::bitwise_and", "", "$0 & $1"},
    {"aten::__lshift__", "", "$0 << $1"},
    {"aten::__or__ aten::bitwise_or", "", "$0 | $1"},
    {"aten::__range_length", "", "len(range($0, $1, $2))"},
    {"aten::__rshift__", "", "$0 >> $1"},
    {"aten::__xor__ aten::bitwise_xor", "", "$0 ^ $1"},
    {"aten::add", "", "$0 + $1"},
    {"aten::all", "bool", "all($0)"},
    {"aten::all", "int", "all($0)"},
    {"aten::any", "bool", "any($0)"},
    {"aten::any", "int", "any($0)"},
    {"aten::any", "float", "any($0)"},
    {"aten::any", "str", "any($0)"},
    {"aten::batch_norm", "",
     "F.batch_norm($input, $running_mean, $running_var, $weight, $bias, $training, $momentum, $eps)"},
    {"aten::count", "", "$0.count($1)"},
    {"aten::alias", "", "$self[...]"},
    {"aten::bitwise_not", "", "~$0"},
    {"aten::copy", "", "$0.copy()"},
    {"aten::detach", "", "$self.detach()"},
    {"aten::dim", "", "$0.dim()"},
    {"aten::div", "int", "$0 / $1"},
    {"aten::div", "float", "$0 / $1"},
    {"aten::div", "", "$0 / $1", true},
    {"aten::embedding", "", "F.embedding($indices, $weight)"},
    {"aten::empty", "", "torch.empty($size)"},
    {"aten::empty", "", "torch.empty($size, dtype=$dtype)"},
    {"aten::endswith", "", "$0.endswith($1)"},
    {"aten::eq", "", "$0 == $1"},
    {"aten::expand", "", "$self.expand($size*)"},
    {"aten::flatten", "using_ints", "$self.flatten($start_dim)"},
    {"aten::flatten", "using_ints", "$self.flatten($start_dim, $end_dim)"},
    {"aten::floor_divide", "", "$0 // $1", true},
    {"aten::floordiv", "", "$0 // $1"},
    {"aten::format", "", "$0.format($*)"},
    {"aten::ge", "", "$0 >= $1"},
    {"aten::gt", "", "$0 > $1"},
    {"aten::index", "Tensor", "$self[#indices]"},
    {"aten::index", "", "$0.index($1)"},
    {"aten::instance_norm", "",
     "F.instance_norm($input, $running_mean, $running_var, $weight, $bias, $use_input_stats, $momentum, $eps)"},
    {"aten::is_autocast_enabled", "", "torch.is_autocast_enabled()"},
    {"aten::is_grad_enabled", "", "torch.is_grad_enabled()"},
    {"aten::items", "", "list($0.items())"},
    {"aten::join", "", "$0.join($1)"},
    {"aten::keys", "", "list($0.keys())"},
    {"aten::le", "", "$0 <= $1"},
    {"aten::lift_fresh_copy", "", "$self.clone()"},
    {"aten::linear", "", "F.linear($input, $weight)"},
    {"aten::linear", "", "F.linear($input, $weight, $bias)"},
    {"aten::list", "", "list($0)"},
    {"aten::lower", "", "$0.lower()"},
    {"aten::lt", "", "$0 < $1"},
    {"aten::matmul", "", "$0 @ $1"},
    {"aten::mul", "", "$0 * $1"},
    {"aten::ne", "", "$0 != $1"},
    {"aten::neg", "", "-$0"},
    {"aten::numel aten::sym_numel", "", "$0.numel()"},
    {"aten::numpy_T", "", "$self.T"},
    {"aten::mT", "", "$self.mT"},
    {"aten::percentFormat", "", "$0 % $1"},
    {"aten::percentFormat", "", "$0 % ($*,)"},
    {"aten::permute", "", "$self.permute($dims*)"},
    {"aten::pop", "t", "$0.pop()"},
    {"aten::pop", "", "$0.pop($1)"},
    {"aten::pow", "Tensor_Tensor", "$0 ** $1"},
    {"aten::pow", "Tensor_Scalar", "$0 ** $1"},
    {"aten::remainder", "int", "$0 % $1"},
    {"aten::remainder", "", "$0 % $1", true},
    {"aten::repeat", "", "$self.repeat($repeats*)"},
    {"aten::replace", "", "$0.replace($1, $2)"},
    {"aten::reshape", "", "$self.reshape($shape*)"},
    {"aten::reverse", "t", "$0.reverse()"},
    {"aten::rsub", "", "$1 - $0"},
    {"aten::remove", "", "$0.remove($1)"},
    {"aten::select", "int", "$self[#select]"},
    {"aten::select", "int", "$self.select($dim, $index)"},
    {"aten::size", "int", oneSize},
    {"aten::size", "", "list($0.shape)"},
    {"aten::slice", "Tensor", "$self[#slice]"},
    {"aten::slice", "t", "$l[$start:$end]"},
    {"aten::slice", "t", "$l[$start:]"},
    {"aten::slice", "t", "$l[:$end]"},
    {"aten::slice", "t", "$l[:]"},
    {"aten::sort", "int", "$0.sort()"},
    {"aten::sort", "float", "$0.sort()"},
    {"aten::sort", "str", "$0.sort()"},
    {"aten::sorted", "", "sorted($0)"},
    {"aten::split", "Tensor", "$self.split($split_size)"},
    {"aten::split", "Tensor", "$self.split($split_size, dim=$dim)"},
    {"aten::split_with_sizes", "", "$self.split($split_sizes)"},
    {"aten::split_with_sizes", "", "$self.split($split_sizes, dim=$dim)"},
    {"aten::startswith", "", "$0.startswith($1)"},
    {"aten::strip", "", "$0.strip()"},
    {"aten::sub", "", "$0 - $1"},
    {"aten::sym_size", "int", oneSize},
    {"aten::tensor", "", "torch.tensor($data)"},
    {"aten::tensor", "", "torch.tensor($data, dtype=$dtype)"},
    {"aten::to", "dtype", "$self.to($dtype)"},
    {"aten::to", "device", "$self.to($device, $dtype)"},
    {"aten::to", "dtype_layout", "$self.to($dtype)"},
    {"aten::to", "other", "$self.to($other)"},
    {"aten::to", "prim_Device", "$self.to($device)"},
    {"aten::transpose", "int", "$self.transpose($dim0, $dim1)"},
    {"aten::update", "", "$0.update($1)"},
    {"aten::upper", "", "$0.upper()"},
    {"aten::values", "", "list($0.values())"},
    {"aten::view", "", "$self.view($size*)"},
    {"aten::wait aten::_unwrap_optional prim::unchecked_cast prim::unchecked_unwrap_optional", "", "$0"},
    {"aten::warn", "", "warnings.warn($0)$-"},
    {"aten::zeros", "", "torch.zeros($size)"},
    {"aten::zeros", "", "torch.zeros($size, dtype=$dtype)"},
    {"_operator::pow", "", "$0 ** $1"},
    {"math::trunc", "", "math.trunc($0)"},
    {"math::ceil", "", "math.ceil($0)"},
    {"math::floor", "", "math.floor($0)"},
    {"prim::CreateObject", "", "types.SimpleNamespace()"},
    {"prim::EnumName prim::EnumValue", "", "$1[$0]"},
    {"prim::NumToTensor", "", tensorOfNumber},
    {"prim::Uninitialized", "", "None"},
    {"prim::data", "", "$0.data"},
    {"prim::is_cpu", "", "$0.is_cpu"},
    {"prim::is_nested", "", "$0.is_nested"},
    {"prim::max", "", "max($0, $1)"},
    {"prim::max", "", "max($0)"},
    {"prim::min", "", "min($0, $1)"},
    {"prim::min", "", "min($0)"},
    {"prim::name", "", "$0.name"},
    {"prim::type", "", "$0.type"},
};

/// A function or method whose parameters have the names of the operator's schema.
struct CalleeRow {
    ops::RowNames names;
    CallKind kind;
};

constexpr CalleeRow calleeRows[] = {
    {"aten::abs aten::acos aten::addmm aten::all aten::amax aten::amin aten::any aten::argmax aten::argmin "
     "aten::argsort aten::asin aten::atan aten::baddbmm aten::bernoulli aten::ceil aten::chunk aten::clamp "
     "aten::clamp_ aten::clamp_max aten::clamp_min aten::clone aten::contiguous aten::copy_ aten::cos aten::cosh "
     "aten::cumprod aten::cumsum aten::detach_ aten::diag aten::diagonal aten::erf aten::erfc aten::exp "
     "aten::expand_as aten::expm1 aten::fill_ aten::flip aten::floor aten::fmod aten::frac aten::gather "
     "aten::index_add aten::index_copy aten::index_fill aten::index_select aten::isfinite aten::isinf aten::isnan "
     "aten::item aten::lerp aten::log aten::log10 aten::log1p aten::log2 aten::log_softmax aten::logical_and "
     "aten::logical_not aten::logical_or aten::logical_xor aten::logsumexp aten::masked_fill aten::masked_fill_ "
     "aten::masked_scatter aten::masked_select aten::max aten::maximum aten::mean aten::median aten::min "
     "aten::minimum aten::movedim aten::nan_to_num aten::narrow aten::new_empty aten::new_full aten::new_ones "
     "aten::new_zeros aten::nonzero aten::outer aten::pow aten::prod aten::reciprocal aten::relu_ "
     "aten::repeat_interleave aten::roll aten::rot90 aten::round aten::rsqrt aten::scatter aten::scatter_add "
     "aten::sigmoid aten::sign aten::sin aten::sinh aten::softmax aten::sort aten::sqrt aten::square aten::squeeze "
     "aten::std aten::sum aten::swapaxes aten::t aten::take aten::tan aten::tanh aten::tile aten::topk aten::trace "
     "aten::tril aten::triu aten::trunc aten::type_as aten::unbind aten::unflatten aten::unfold aten::unsqueeze "
     "aten::var",
     CallKind::Method},
    {"aten::addbmm aten::addcdiv aten::addcmul aten::addmv aten::arange aten::atan2 aten::bilinear aten::bincount "
     "aten::bmm aten::bucketize aten::cat aten::channel_shuffle aten::complex aten::conv1d aten::conv2d "
     "aten::conv3d aten::conv_transpose1d aten::conv_transpose2d aten::conv_transpose3d aten::cosine_similarity "
     "aten::count_nonzero aten::cross aten::cummax aten::cummin aten::diag_embed aten::dot aten::dropout "
     "aten::dropout_ aten::dstack aten::einsum aten::empty_like aten::eye aten::full aten::full_like "
     "aten::grid_sampler aten::group_norm aten::histc aten::hstack aten::hypot aten::imag aten::isclose aten::kron "
     "aten::kthvalue aten::layer_norm aten::linspace aten::logcumsumexp aten::logspace aten::max_pool1d "
     "aten::max_pool2d aten::max_pool3d aten::meshgrid aten::mm aten::mv aten::ones aten::ones_like "
     "aten::pairwise_distance aten::pixel_shuffle aten::pixel_unshuffle aten::polar aten::prelu aten::rand "
     "aten::rand_like aten::randint aten::randn aten::randn_like aten::randperm aten::real aten::relu "
     "aten::rms_norm aten::searchsorted aten::selu aten::stack aten::threshold aten::var_mean "
     "aten::view_as_complex aten::view_as_real aten::vstack aten::where aten::zeros_like",
     CallKind::Function},
    {"aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::adaptive_avg_pool3d aten::avg_pool1d "
     "aten::avg_pool2d aten::avg_pool3d aten::celu aten::elu aten::gelu aten::glu aten::hardshrink "
     "aten::hardsigmoid aten::hardswish aten::hardtanh aten::leaky_relu aten::mish aten::one_hot aten::pad "
     "aten::relu6 aten::scaled_dot_product_attention aten::silu aten::softplus aten::softshrink",
     CallKind::Functional},
};

} // namespace

CallKind callKind(std::string_view dialect, std::string_view name)
{
    static const rules::RuleTable<CalleeRow> table{calleeRows};
    const CalleeRow *row = table.first(dialect, name);
    return row ? row->kind : CallKind::Registered;
}

std::span<const CallRow *const> callRows(std::string_view dialect, std::string_view name)
{
    static const rules::RuleTable<CallRow> table{callRowTable};
    return table.of(dialect, name);
}

std::string augmentedOperator(std::string_view dialect, std::string_view name)
{
    static constexpr std::array<std::string_view, 12> signs{"+",  "-", "*", "/", "//", "%",
                                                            "**", "&", "|", "^", "<<", ">>"};
    if (!name.ends_with('_'))
        return {};
    for (const CallRow *row : callRows(dialect, name.substr(0, name.size() - 1)))
        for (const std::string_view sign : signs)
            if (row->pattern == formatted("$0 {} $1", sign))
                return formatted("{}=", sign);
    return {};
}

bool isWithoutEffect(std::string_view parameter)
{
    static constexpr std::array<std::string_view, 6> names{"cudnn_enable",  "cudnn_enabled", "benchmark",
                                                           "deterministic", "allow_tf32",    "pin_memory"};
    return std::ranges::contains(names, parameter);
}

} // namespace cutaway::print
