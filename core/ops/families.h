// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// The families of operators: each a source of the same name with its rules and rows.
namespace cutaway::ops {

std::span<const Operator> activationOperators();
std::span<const Operator> arithmeticOperators();
std::span<const Operator> attentionOperators();
std::span<const Operator> castOperators();
std::span<const Operator> comparisonOperators();
std::span<const Operator> containerOperators(); ///< lists, dicts, tuples, sequences, optionals
std::span<const Operator> controlFlowOperators();
std::span<const Operator> convolutionOperators();
std::span<const Operator> creationOperators();
std::span<const Operator> expandingOperators();  ///< expand, repeat, pad
std::span<const Operator> distanceOperators();   ///< between points
std::span<const Operator> generationOperators(); ///< texts that a model inside the operator writes
std::span<const Operator> indexingOperators();
std::span<const Operator> joiningOperators(); ///< cat, stack, meshgrid
std::span<const Operator> linearAlgebraOperators();
std::span<const Operator> lossOperators();
std::span<const Operator> machineLearningOperators(); ///< ai.onnx.ml and ONNX's training domain
std::span<const Operator> matrixProductOperators();
std::span<const Operator> normalizationOperators();
std::span<const Operator> poolingOperators();
std::span<const Operator> quantizationOperators();
std::span<const Operator> randomOperators();
std::span<const Operator> rearrangingOperators(); ///< flip, roll, diagonal, pixel_shuffle, unfold
std::span<const Operator> recurrentOperators();
std::span<const Operator> reductionOperators();
std::span<const Operator> resamplingOperators();
std::span<const Operator> signalOperators();
std::span<const Operator> sizeOperators(); ///< what looks at tensors: size, dim, dtype, Shape
std::span<const Operator> slicingOperators();
std::span<const Operator> sortingOperators();
std::span<const Operator> textOperators();
std::span<const Operator> viewOperators();
std::span<const Operator> visionOperators();

} // namespace cutaway::ops
