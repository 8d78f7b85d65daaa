// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops::demand {

// A demand checks what an operator asks of its arguments beyond what decides the shapes of the results: that
// parameters are as large as the data, that attributes and constant indices fit the shape. It returns ops::wrong()
// for a demand that is certainly not met, because a runtime refuses the node; one that depends on unknown sizes
// counts as met. The rows that have a demand name it in Traits::demand.

Met batchNorm(const Call &call);    ///< also instance normalization
Met layerNorm(const Call &call);    ///< also RMS normalization, and com.microsoft's with a skip connection
Met groupNorm(const Call &call);    ///< the groups divide the channels
Met convolution(const Call &call);  ///< the groups divide the filters; bias and scales fit these
Met pool(const Call &call);         ///< ONNX: the padding is smaller than the window; torch: at most half the kernel
Met recurrent(const Call &call);    ///< ONNX: W, R, B and the states have sizes that fit the hidden size
Met quantization(const Call &call); ///< ONNX: there is a scale for all, for each slice of an axis, or for each block
Met heads(const Call &call);        ///< attention: the heads divide the width
Met scalarBounds(const Call &call); ///< ONNX's Clip: the bounds are single numbers
Met slope(const Call &call);        ///< PRelu: the slope broadcasts to the input
Met axis(const Call &call);         ///< the axis in the attribute `axis`, or torch's `dim`, exists
Met parts(const Call &call);        ///< ONNX's Split: there is a part per result, and the parts add up to the axis
Met sliceAxes(const Call &call);    ///< no axis is named twice
Met gather(const Call &call);       ///< constant indices lie within the axis
Met gatherElements(const Call &call);
Met scatterElements(const Call &call);
Met scatterPositions(const Call &call); ///< ScatterND: updates fit the positions, and these the data
Met gatherPositions(const Call &call);  ///< GatherND: constant positions lie within the data
Met blocks(const Call &call);           ///< SpaceToDepth: blocks divide height and width
Met grid(const Call &call); ///< GridSample: there is a grid per image, with a coordinate per spatial dimension

} // namespace cutaway::ops::demand
