// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops::demand {

// A demand checks what an operator asks of its arguments beyond what the shapes of the results follow from: that
// parameters are as large as the data, that attributes and constant indices fit the shape. It reports by Call::wrong()
// a demand that is certainly not met, as a runtime refuses the node, and takes one that depends on unknown sizes to be
// met. The rows that have a demand name it in Traits::demand.

void batchNorm(const Call &call);    ///< instance normalization, too
void layerNorm(const Call &call);    ///< RMS normalization and com.microsoft's with a skip connection, too
void groupNorm(const Call &call);    ///< channels are divided by groups
void convolution(const Call &call);  ///< filters are divided by groups; a bias per filter; scales of a filter each
void pool(const Call &call);         ///< padding is smaller than the kernel
void recurrent(const Call &call);    ///< ONNX: W, R, B and the states by the hidden size
void quantization(const Call &call); ///< ONNX: a scale for all, for each slice of an axis, or for each block
void heads(const Call &call);        ///< attention: the heads divide the width
void scalarBounds(const Call &call); ///< ONNX's Clip
void slope(const Call &call);        ///< PRelu
void axis(const Call &call);         ///< the attribute `axis`, or torch's `dim`, is there
void parts(const Call &call);        ///< ONNX's Split: as many as results, together as long as the axis
void sliceAxes(const Call &call);    ///< each axis once
void gather(const Call &call);       ///< constant indices lie within the axis
void gatherElements(const Call &call);
void scatterElements(const Call &call);
void scatterPositions(const Call &call); ///< ScatterND
void gatherPositions(const Call &call);  ///< GatherND
void blocks(const Call &call);           ///< SpaceToDepth: blocks divide height and width
void grid(const Call &call);             ///< GridSample: a grid per image, with a number per dimension

} // namespace cutaway::ops::demand
