// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Compute rules of operators that pick, order and move elements; see rules.h.
namespace cutaway::compute {

// indexing.cpp, subscript.cpp
Answer compress(const Call &call);
Answer gatherPositions(const Call &call); ///< onnx::GatherND
Answer index(const Call &call);           ///< x[i, :, mask]
Answer indexPut(const Call &call);
Answer maskedScatter(const Call &call);
Answer maskedSelect(const Call &call);
Answer nonzero(const Call &call);
Answer oneHot(const Call &call);
Answer putSlices(const Call &call); ///< index_add, index_copy and index_fill
Answer scatter(const Call &call);
Answer scatterPositions(const Call &call); ///< onnx::ScatterND
Answer take(const Call &call);
Answer takeAlongDimension(const Call &call);

// sorting.cpp
Answer sort(const Call &call);
Answer argsort(const Call &call);
Answer topk(const Call &call);
Answer unique(const Call &call); ///< the distinct elements, or the distinct slices along a dimension
Answer searchSorted(const Call &call);
Answer median(const Call &call);
Answer kthSmallest(const Call &call);
Answer bincount(const Call &call);

// rearranging.cpp, columns.cpp, creation.cpp, container.cpp, einsum.cpp
Answer roll(const Call &call);
Answer triangleOf(const Call &call); ///< onnx::Trilu
Answer diagonal(const Call &call);
Answer asStrided(const Call &call);
Answer unfold(const Call &call);
Answer columnsOfImage(const Call &call);
Answer imageOfColumns(const Call &call);
Answer pixelShuffle(const Call &call);
Answer pixelUnshuffle(const Call &call);
Answer depthToSpace(const Call &call);
Answer spaceToDepth(const Call &call);
Answer reverseSequence(const Call &call);
Answer movedAxes(const Call &call);
Answer centerCropPad(const Call &call);
Answer rotated(const Call &call);
Answer identityMatrix(const Call &call);
Answer meshgrid(const Call &call);
Answer splitToSequence(const Call &call);
Answer concatFromSequence(const Call &call);
Answer einsum(const Call &call);

// joining.cpp, embedding.cpp, distance.cpp, network/matrix_product.cpp
Answer embeddingBag(const Call &call); ///< computes the bags; the further results are not known
Answer horizontalStack(const Call &call);
Answer verticalStack(const Call &call);
Answer broadcastTogether(const Call &call);
Answer repeatEach(const Call &call);
Answer evenParts(const Call &call);
Answer outerProduct(const Call &call);
Answer bilinear(const Call &call);
Answer pairDistances(const Call &call);

} // namespace cutaway::compute
