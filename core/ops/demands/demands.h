// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops::demand {

// A demand checks what an operator asks of its arguments beyond what the shapes of the results follow from: that
// parameters are as large as the data, that attributes and constant indices fit the shape. It returns ops::wrong() for
// a demand that is certainly not met, as a runtime refuses the node, and takes one that depends on unknown sizes to be
// met. The rows that have a demand name it in Traits::demand.

Met batchNorm(const Call &call);    ///< instance normalization, too
Met layerNorm(const Call &call);    ///< RMS normalization and com.microsoft's with a skip connection, too
Met groupNorm(const Call &call);    ///< channels are divided by groups
Met convolution(const Call &call);  ///< filters are divided by groups; a bias per filter; scales of a filter each
Met pool(const Call &call);         ///< padding is smaller than the kernel
Met recurrent(const Call &call);    ///< ONNX: W, R, B and the states by the hidden size
Met quantization(const Call &call); ///< ONNX: a scale for all, for each slice of an axis, or for each block
Met heads(const Call &call);        ///< attention: the heads divide the width
Met scalarBounds(const Call &call); ///< ONNX's Clip
Met slope(const Call &call);        ///< PRelu
Met axis(const Call &call);         ///< the attribute `axis`, or torch's `dim`, is there
Met parts(const Call &call);        ///< ONNX's Split: as many as results, together as long as the axis
Met sliceAxes(const Call &call);    ///< each axis once
Met gather(const Call &call);       ///< constant indices lie within the axis
Met gatherElements(const Call &call);
Met scatterElements(const Call &call);
Met scatterPositions(const Call &call); ///< ScatterND
Met gatherPositions(const Call &call);  ///< GatherND
Met blocks(const Call &call);           ///< SpaceToDepth: blocks divide height and width
Met grid(const Call &call);             ///< GridSample: a grid per image, with a number per dimension

} // namespace cutaway::ops::demand
