// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Attributes and inputs of operators of ai.onnx.ml.
namespace cutaway::compute {

/// Returns the numbers of an attribute; an empty list if it is not given. Nothing if one number is not known.
std::optional<std::vector<double>> numbersAt(const Call &call, std::string_view name);
/// Returns the integers of an attribute, which are positions or counts; an empty list or nothing in the same cases as
/// numbersAt().
std::optional<std::vector<std::int64_t>> wholesAt(const Call &call, std::string_view name);

/// The floats of a tensor in rows; a tensor of one dimension is a single row.
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
