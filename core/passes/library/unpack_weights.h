// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Whether a graph has layers whose weights are packed for XNNPACK.
bool hasPackedLayers(const ir::Graph &graph);
/// Replaces layers with weights packed for XNNPACK by plain ones and the clamp that they end with; remarks on those for
/// which the file lacks parts.
void unpackWeights(rewrite::Rewriter &rewriter);

} // namespace cutaway::passes
