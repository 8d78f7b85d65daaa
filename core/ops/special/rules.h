// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Compute rules of linear algebra, complex numbers, signals, classical models, texts, quantized products, and of
/// operators that only PyTorch has; see compute/rules.h.
namespace cutaway::compute {

// linear_algebra.cpp: results that show how an algorithm proceeded, such as pivots, are not computed.
Answer choleskyFactor(const Call &call);
Answer determinant(const Call &call);
Answer inverse(const Call &call);
/// The determinant's sign and logarithm; for aten::logdet only the logarithm.
Answer logarithmOfDeterminant(const Call &call);
Answer matrixExponential(const Call &call);
Answer matrixNorm(const Call &call); ///< the norm of each row or column, or of all elements
Answer matrixPower(const Call &call);
Answer matrixRank(const Call &call);
Answer orthogonalFactors(const Call &call); ///< Q and R
Answer pseudoInverse(const Call &call);
Answer singularValues(const Call &call);
Answer solution(const Call &call); ///< aten::linalg_solve
Answer symmetricEigenvalues(const Call &call);

// complex.cpp
Answer complexOfParts(const Call &call); ///< aten::complex
Answer complexOfPolar(const Call &call); ///< makes complex numbers of their absolute values and angles
Answer conjugate(const Call &call);
Answer realParts(const Call &call); ///< aten::real and imag
Answer angle(const Call &call);
Answer partsAsReal(const Call &call);    ///< aten::view_as_real
Answer partsAsComplex(const Call &call); ///< aten::view_as_complex

// fourier.cpp
Answer torchFourier(const Call &call);      ///< aten::fft_fft and the like
Answer shortTimeSpectrum(const Call &call); ///< aten::stft
Answer shortTimeSignal(const Call &call);   ///< aten::istft

// products.cpp
Answer tensorProduct(const Call &call); ///< aten::tensordot
Answer kroneckerProduct(const Call &call);
Answer chainProduct(const Call &call);    ///< aten::linalg_multi_dot
Answer batchProductSum(const Call &call); ///< aten::addbmm
Answer outerProductSum(const Call &call); ///< aten::addr
Answer cosineSimilarity(const Call &call);
Answer vectorDot(const Call &call);
Answer distanceOfPairs(const Call &call); ///< aten::pairwise_distance
Answer crossProduct(const Call &call);

// placing.cpp
Answer embeddedDiagonal(const Call &call); ///< aten::diag_embed
Answer diagonalOrMatrix(const Call &call); ///< aten::diag, diagflat
Answer traceOf(const Call &call);
Answer put(const Call &call);
Answer indexReduce(const Call &call);
Answer combinationsOfAll(const Call &call); ///< aten::cartesian_prod
Answer depthStack(const Call &call);
Answer shuffledChannels(const Call &call);
Answer histogramCounts(const Call &call); ///< aten::histc
Answer cumulativeLogSumExp(const Call &call);

// functions.cpp
double besselI0(double x);
double besselI1(double x);
double digamma(double x);
double entropy(double x);
double inverseErrorFunction(double x);
double normalDistribution(double x);
Answer polygamma(const Call &call);

// transformer.cpp
Answer encoderLayer(const Call &call); ///< aten::_transformer_encoder_layer_fwd
Answer multiHeadAttention(const Call &call);

// signal.cpp: complex numbers are pairs of real numbers along the last dimension, as in ONNX.
Answer fourierTransform(const Call &call);          ///< onnx::DFT
Answer shortTimeFourierTransform(const Call &call); ///< onnx::STFT
Answer window(const Call &call);                    ///< the windows of Hann, Hamming and Blackman
Answer melWeights(const Call &call);                ///< onnx::MelWeightMatrix
Answer frequencies(const Call &call);               ///< aten::fft_fftfreq and fft_rfftfreq
Answer shiftedToMiddle(const Call &call);           ///< aten::fft_fftshift and fft_ifftshift
Answer evenlySpaced(const Call &call);              ///< aten::linspace and logspace

// machine_learning.cpp: operators of ai.onnx.ml
Answer binarize(const Call &call);
Answer chosenFeatures(const Call &call); ///< ArrayFeatureExtractor
Answer encodedLabels(const Call &call);  ///< LabelEncoder
Answer linearRegression(const Call &call);
Answer normalizedRows(const Call &call);
Answer scaledFeatures(const Call &call);

// tree_ensembles.cpp: operators of ai.onnx.ml
Answer treeEnsemble(const Call &call); ///< TreeEnsemble, of opset 5
Answer treeRegression(const Call &call);
Answer treeClassification(const Call &call); ///< TreeEnsembleClassifier of three or more classes

// text.cpp
Answer joinedTexts(const Call &call);     ///< onnx::StringConcat
Answer splitTexts(const Call &call);      ///< onnx::StringSplit
Answer normalizedTexts(const Call &call); ///< onnx::StringNormalizer
Answer countedNgrams(const Call &call);   ///< onnx::TfIdfVectorizer that counts, in the mode TF
/// Returns the elements of a tensor of texts; nullptr if the value is none, or they are not known.
const std::vector<std::string> *textsOf(const Value *value);

// deformable_convolution.cpp
Answer deformableConvolution(const Call &call);

// quantized_products.cpp
Answer convolutionOfWholes(const Call &call);  ///< onnx::ConvInteger
Answer productOfInt8Weights(const Call &call); ///< aten::_weight_int8pack_mm
Answer quantizedConvolution(const Call &call);
Answer dynamicQuantize(const Call &call);
Answer matMulInteger(const Call &call);
Answer quantizedMatMul(const Call &call);

} // namespace cutaway::compute
