// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Compute rules of linear algebra, signals, classical models, texts and quantized products; see compute/rules.h.
namespace cutaway::compute {

// linear_algebra.cpp: of results that show how an algorithm went, factors and pivots, they give none.
Answer choleskyFactor(const Call &call);
Answer determinant(const Call &call);
Answer inverse(const Call &call);
Answer logarithmOfDeterminant(const Call &call); ///< its sign and logarithm; of aten::logdet the latter
Answer matrixNorm(const Call &call);             ///< of a row or column, or of all elements
Answer matrixPower(const Call &call);
Answer solution(const Call &call); ///< aten::linalg_solve

// signal.cpp: complex numbers are ONNX's, pairs of real ones along the last dimension.
Answer fourierTransform(const Call &call);          ///< onnx::DFT
Answer shortTimeFourierTransform(const Call &call); ///< onnx::STFT
Answer window(const Call &call);                    ///< of Hann, Hamming and Blackman
Answer melWeights(const Call &call);                ///< onnx::MelWeightMatrix
Answer frequencies(const Call &call);               ///< aten::fft_fftfreq and fft_rfftfreq
Answer shiftedToMiddle(const Call &call);           ///< aten::fft_fftshift and fft_ifftshift
Answer evenlySpaced(const Call &call);              ///< aten::linspace and logspace

// machine_learning.cpp: of ai.onnx.ml
Answer binarize(const Call &call);
Answer chosenFeatures(const Call &call); ///< ArrayFeatureExtractor
Answer encodedLabels(const Call &call);  ///< LabelEncoder
Answer linearRegression(const Call &call);
Answer normalizedRows(const Call &call);
Answer scaledFeatures(const Call &call);
Answer treeEnsemble(const Call &call); ///< TreeEnsemble, of opset 5

// text.cpp
Answer joinedTexts(const Call &call); ///< onnx::StringConcat
/// The elements of a tensor of texts; nullptr: it is none, or they are not known.
const std::vector<std::string> *textsOf(const Value *value);

// deformable_convolution.cpp
Answer deformableConvolution(const Call &call);

// quantized_products.cpp
Answer convolutionOfWholes(const Call &call); ///< onnx::ConvInteger
Answer quantizedConvolution(const Call &call);
Answer dynamicQuantize(const Call &call);
Answer matMulInteger(const Call &call);
Answer quantizedMatMul(const Call &call);
/// Of quantized_decomposed: with the numbers that are allowed as arguments.
Answer quantizeDecomposed(const Call &call);

} // namespace cutaway::compute
