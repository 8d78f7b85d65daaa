// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/signature.h"
#include "core/sequence/excerpt.h"

namespace cutaway::sequence {

/// The two graphs of a compilation that tell which of its inputs are parameters and buffers. Dynamo names them after
/// their module; AOTAutograd takes the same inputs in the same order and numbers them, `primals_1` or `arg0_1`.
struct TracedInputs {
    Excerpt dynamo;
    Excerpt aot; ///< the first graph behind it: the joint one, or that for inference
};

/// Tells by its name which input of AOTAutograd's graph, and of the graphs made of it, is which parameter. Nothing if
/// the two graphs differ in the number, dtypes or sizes of their inputs: then their order is another one, too.
formats::graph_text::InputSpecs inputSpecs(const TracedInputs &inputs);

} // namespace cutaway::sequence
