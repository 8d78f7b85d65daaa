// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops::demand {

/// Checks a call against the demand of its row, and an ONNX node also against the demands of its operator on single
/// inputs and attributes: ranks, numbers, texts.
Met check(const Call &call, DemandRule demand);

// The demands of operators that only ONNX has; they work like those in demands.h.

Met classTargets(const Call &call);     ///< losses of classes: each position has a target, each class a weight
Met boxesAndScores(const Call &call);   ///< NonMaxSuppression: boxes and scores have shapes that fit
Met regionsOfImages(const Call &call);  ///< RoiAlign: there is an image for each region
Met quantizedProduct(const Call &call); ///< QLinearMatMul, MatMulInteger: a scale for all, or for each row or column
Met resizing(const Call &call);         ///< Resize: either scales or sizes are given, for axes that exist
Met unpooling(const Call &call);        ///< MaxUnpool: each element has an index, each spatial dimension a window size
Met windowsOfColumns(const Call &call); ///< Col2Im: windows have the image's rank
Met sequenceLengths(const Call &call);  ///< ReverseSequence: each sequence has a length, no longer than the data
Met ngramPool(const Call &call);        ///< TfIdfVectorizer: `ngram_counts` splits the pool by the n-grams' length
Met repeats(const Call &call);          ///< Tile: there is a repeat for each dimension
Met axisNumber(const Call &call);       ///< CumSum: the axis that the input `axis` gives exists
Met offAndOn(const Call &call);         ///< OneHot: `values` has two elements
Met spectrum(const Call &call);         ///< STFT: a window or its length is given; the signal is real or complex
Met transformedAxis(const Call &call);  ///< DFT: the axis exists, and is not the last one
Met padsOfAxes(const Call &call);       ///< CenterCropPad: no axis is named twice
Met modulo(const Call &call);           ///< Mod: floats need the attribute `fmod`
Met steps(const Call &call);            ///< Range: the step is not 0
Met droppedShare(const Call &call);     ///< Dropout: the ratio is less than 1
Met upsampling(const Call &call);       ///< Upsample: the scales are at least 1

} // namespace cutaway::ops::demand
