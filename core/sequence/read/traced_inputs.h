// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/signature.h"
#include "core/sequence/excerpt.h"

namespace cutaway::sequence {

/// The graphs of a compilation that show which of its inputs are parameters and buffers, and which of its results are
/// saved. Dynamo names inputs after their module; up to torch 2.4 parameters are attributes of its graph instead.
/// AOTAutograd takes attributes and then inputs in the same order and numbers them, `primals_1` or `arg0_1`.
struct TracedInputs {
    std::vector<Excerpt> dynamo;          ///< the forms in which Dynamo's graph is printed
    std::optional<Excerpt> aot = {};      ///< the first graph of AOTAutograd: the joint one, or that of an inference
    std::optional<Excerpt> backward = {}; ///< the first graph of the backward
};

/// Returns, by the name of an input of AOTAutograd's graph, which parameter or buffer the input is; the graphs made of
/// that graph keep these names. Nothing is returned if Dynamo's and AOTAutograd's graphs differ in the number, dtypes
/// or sizes of their inputs: then the order of inputs differs, too.
formats::graph_text::InputSpecs specsOfAot(const TracedInputs &inputs);

/// Returns the types of the inputs and attributes of Dynamo's graph, since not all of its printed forms have them.
formats::graph_text::InputSpecs specsOfDynamo(const TracedInputs &inputs);

/// Marks the outputs of a forward graph that are saved for the backward. They are the last ones, as many as the
/// backward has inputs that are no tangents.
void markSaved(ir::Function &forward, const TracedInputs &inputs);

} // namespace cutaway::sequence
