// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops::demand {

/// Holds a call to the demand of its row, and an ONNX node to the demands of its operator on single inputs and
/// attributes: ranks, numbers, words. Nothing is reported if the call is wrong already.
void check(const Call &call, DemandRule demand);

// Demands of ONNX's operators alone, in the manner of demands.h.

void classTargets(const Call &call);     ///< losses of classes: a target for each place, a weight for each class
void boxesAndScores(const Call &call);   ///< NonMaxSuppression
void regionsOfImages(const Call &call);  ///< RoiAlign: an image for each region
void quantizedProduct(const Call &call); ///< QLinearMatMul, MatMulInteger: a scale for all, for each row or column
void resizing(const Call &call);         ///< Resize: scales or sizes, of axes that are there
void unpooling(const Call &call);        ///< MaxUnpool: an index for each element, windows of as many dimensions
void windowsOfColumns(const Call &call); ///< Col2Im: windows of as many dimensions as the image
void sequenceLengths(const Call &call);  ///< ReverseSequence: a length for each of the batch, no longer than the data
void ngramPool(const Call &call);        ///< TfIdfVectorizer: where the n-grams of each length begin in the pool
void repeats(const Call &call);          ///< Tile: one for each dimension
void axisNumber(const Call &call);       ///< CumSum: the input `axis` is there
void offAndOn(const Call &call);         ///< OneHot: two values
void spectrum(const Call &call);         ///< STFT: a window or the length of one; a signal of real or complex numbers
void transformedAxis(const Call &call);  ///< DFT: the axis is there, and not the last
void padsOfAxes(const Call &call);       ///< CenterCropPad: each axis once
void modulo(const Call &call);           ///< Mod: of floats with the sign of the dividend
void steps(const Call &call);            ///< Range: steps that lead somewhere
void droppedShare(const Call &call);     ///< Dropout: less than all
void upsampling(const Call &call);       ///< Upsample: scales that do not make it smaller

} // namespace cutaway::ops::demand
