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
    bool areMagnitudes = false;  ///< the statistics are those of complex elements' magnitudes
    bool areDequantized = false; ///< they are of the numbers that the elements stand for
    std::optional<tensor::Summary> summary;
    std::vector<std::string> notKnown; ///< sentences on facts that could not be found out, with the reason
    /// The elements of a part of the tensor.
    struct Part {
        std::string text; ///< as it was asked for
        std::vector<std::int64_t> shape;
        std::vector<std::string> elements;
    };
    std::optional<Part> part;
};

/// The facts for a terminal.
std::string tensorText(const TensorFacts &facts);
/// Schema "cutaway.tensor/1".
std::string tensorJson(const TensorFacts &facts);

/// All tensors of a model: name, kind, dtype, shape, bytes.
std::string tensorListText(const ir::Model &model);
/// Schema "cutaway.tensors/1".
std::string tensorListJson(const ir::Model &model);

/// Two tensors and how they differ.
struct TensorComparison {
    const ir::Model &modelA, &modelB;
    ir::TensorId a, b;
    const tensor::Comparison &comparison;
};

/// The comparison for a terminal.
std::string tensorComparisonText(const TensorComparison &comparison);
/// Schema "cutaway.tensor-comparison/1".
std::string tensorComparisonJson(const TensorComparison &comparison);

} // namespace cutaway::report
