// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Attributes and inputs of operators of ai.onnx.ml.
namespace cutaway::compute {

/// The numbers of an attribute; none if it is not given. Nothing if one number is not known.
std::optional<std::vector<double>> numbersAt(const Call &call, std::string_view name);
/// The integers of an attribute, which are positions or counts; none and nothing as for numbersAt().
std::optional<std::vector<std::int64_t>> wholesAt(const Call &call, std::string_view name);

/// Floats in rows; a tensor of one dimension is one row.
struct Rows {
    std::size_t count, width;
    std::vector<double> floats;

    std::span<const double> row(std::size_t i) const { return std::span(floats).subspan(i * width, width); }
};

std::optional<Rows> rowsOf(const Array *x);

/// Whether the attribute post_transform leaves the results of an operator of ai.onnx.ml as they are.
inline bool hasNoTransform(const Call &call)
{
    const std::string_view transform = call.facts().text("post_transform");
    return transform.empty() || transform == "NONE";
}

} // namespace cutaway::compute
