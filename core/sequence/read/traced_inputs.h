// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/signature.h"
#include "core/sequence/excerpt.h"

namespace cutaway::sequence {

/// The graphs of a compilation that tell which of its inputs are parameters and buffers, and which of its results are
/// saved. Dynamo names inputs after their module; up to torch 2.4 parameters are attributes of its graph instead.
/// AOTAutograd takes attributes and then inputs in the same order and numbers them, `primals_1` or `arg0_1`.
struct TracedInputs {
    std::vector<Excerpt> dynamo;          ///< one graph, in all the forms in which it is printed
    std::optional<Excerpt> aot = {};      ///< the first graph behind it: the joint one, or that for inference
    std::optional<Excerpt> backward = {}; ///< the first graph of the backward
};

/// Tells by its name which input of AOTAutograd's graph, and of the graphs made of it, is which parameter. Nothing if
/// the two graphs differ in the number, dtypes or sizes of their inputs: then their order is another one, too.
formats::graph_text::InputSpecs specsOfAot(const TracedInputs &inputs);

/// Tells the types of the inputs and attributes of Dynamo's graph, which not all forms of it print.
formats::graph_text::InputSpecs specsOfDynamo(const TracedInputs &inputs);

/// Marks those outputs of a forward graph that the backward is given: they are the last ones, as many as the backward
/// has inputs that are no tangents.
void markSaved(ir::Function &forward, const TracedInputs &inputs);

} // namespace cutaway::sequence
