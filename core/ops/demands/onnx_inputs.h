// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops::demand {

/// Holds a call to the demand of its row, and an ONNX node to the demands of its operator on single inputs and
/// attributes: ranks, numbers, words.
Met check(const Call &call, DemandRule demand);

// Demands of ONNX's operators alone, in the manner of demands.h.

Met classTargets(const Call &call);     ///< losses of classes: a target for each place, a weight for each class
Met boxesAndScores(const Call &call);   ///< NonMaxSuppression
Met regionsOfImages(const Call &call);  ///< RoiAlign: an image for each region
Met quantizedProduct(const Call &call); ///< QLinearMatMul, MatMulInteger: a scale for all, for each row or column
Met resizing(const Call &call);         ///< Resize: scales or sizes, of axes that are there
Met unpooling(const Call &call);        ///< MaxUnpool: an index for each element, windows of as many dimensions
Met windowsOfColumns(const Call &call); ///< Col2Im: windows of as many dimensions as the image
Met sequenceLengths(const Call &call);  ///< ReverseSequence: a length for each of the batch, no longer than the data
Met ngramPool(const Call &call);        ///< TfIdfVectorizer: where the n-grams of each length begin in the pool
Met repeats(const Call &call);          ///< Tile: one for each dimension
Met axisNumber(const Call &call);       ///< CumSum: the input `axis` is there
Met offAndOn(const Call &call);         ///< OneHot: two values
Met spectrum(const Call &call);         ///< STFT: a window or the length of one; a signal of real or complex numbers
Met transformedAxis(const Call &call);  ///< DFT: the axis is there, and not the last
Met padsOfAxes(const Call &call);       ///< CenterCropPad: each axis once
Met modulo(const Call &call);           ///< Mod: of floats with the sign of the dividend
Met steps(const Call &call);            ///< Range: steps that lead somewhere
Met droppedShare(const Call &call);     ///< Dropout: less than all
Met upsampling(const Call &call);       ///< Upsample: scales that do not make it smaller

} // namespace cutaway::ops::demand
