// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/comparison.h"
#include "core/tensor/slice.h"
#include "core/tensor/statistics.h"

#include <string>

namespace cutaway::report {

/// The facts about a tensor of a model. The model must outlive the report.
struct TensorFacts {
    const ir::Model &model;
    ir::TensorId tensor;
    std::optional<tensor::Quantization> quantization;
    bool areMagnitudes = false;  ///< whether the statistics are those of the magnitudes of complex elements
    bool areDequantized = false; ///< whether the statistics are those of dequantized numbers
    std::optional<tensor::Summary> summary;
    std::vector<std::string> notKnown; ///< sentences on facts that are not known, with the reasons
    /// The elements of a part of the tensor.
    struct Part {
        std::string text; ///< the part as the user wrote it
        std::vector<std::int64_t> shape;
        std::vector<std::string> elements;
    };
    std::optional<Part> part;
};

/// Returns the facts for a terminal.
std::string tensorText(const TensorFacts &facts);
/// Returns the facts as JSON, schema "cutaway.tensor/1".
std::string tensorJson(const TensorFacts &facts);

/// Returns a list of all tensors of a model: name, kind, dtype, shape, bytes.
std::string tensorListText(const ir::Model &model);
/// Returns that list as JSON, schema "cutaway.tensors/1".
std::string tensorListJson(const ir::Model &model);

/// Two tensors and their difference.
struct TensorComparison {
    const ir::Model &modelA, &modelB;
    ir::TensorId a, b;
    const tensor::Comparison &comparison;
};

/// Returns the comparison for a terminal.
std::string tensorComparisonText(const TensorComparison &comparison);
/// Returns the comparison as JSON, schema "cutaway.tensor-comparison/1".
std::string tensorComparisonJson(const TensorComparison &comparison);

} // namespace cutaway::report
