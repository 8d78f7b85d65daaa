// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::ops {

/// What an operator computes, by one name for all dialects: "relu" for aten::relu, aten::relu_ and onnx::Relu,
/// "batchnorm" for onnx::BatchNormalization and aten::native_batch_norm. It says nothing of how the arguments are
/// written. Operators of which nobody said otherwise are of the kind of their name, lower-case without underscores.
std::string kindOf(std::string_view dialect, std::string_view name);

/// Whether two names of a dialect mean the same operator, so that either can stand for the other: aten::absolute and
/// aten::abs. The first one torch gave is the plain name.
std::string_view plainNameOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::ops
