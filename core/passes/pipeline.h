// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

/// A pass with its options in a pipeline.
struct Entry {
    const Pass *pass = nullptr;
    Settings settings;
    bool isEnabled = true;
    const Pass *addedFor = nullptr; ///< the pass that needs it, where withNeeds() has added it
    bool operator==(const Entry &) const = default;
};

/// Passes in order; all of them again, up to `iterations` times, as long as one changes something.
struct Pipeline {
    std::vector<Entry> entries;
    int iterations = 1;
    bool operator==(const Pipeline &) const = default;
};
inline constexpr int maxIterations = 100;

/// The default pipeline: everything that is safe for every model.
Pipeline defaultPipeline();

/// The pipeline for as few operators as possible: the default pipeline, and passes that fuse operators and fold
/// weights, where results change within rounding. `mayUseContrib`: with ONNX Runtime's own operators where the standard
/// has none.
Pipeline optimizingPipeline(bool mayUseContrib = false);

/// Reads "dead-code,constant-folding{elements=64},dead-code", or the JSON of printPipeline(); a value with blanks,
/// commas or braces stands in quotes, "a \"b\"". Errors (Usage): an unknown pass or option, with similar names; a value
/// of another type, or that the pass cannot use. "default" stands for the passes of the default pipeline, "optimize"
/// and "optimize{contrib=true}" for those of the optimizing one: alone with their iterations, among others once.
/// `others`: further passes that may be named; they must outlive the pipeline.
Result<Pipeline> parsePipeline(std::string_view text, std::span<const Pass *const> others = {});

/// The pipeline with the passes that its passes need before them and want after them, where it does not have them
/// there. An entry that is switched off counts: somebody does not want it.
Pipeline withNeeds(Pipeline pipeline);

/// The pipeline as JSON (schema "cutaway.pipeline/1").
std::string printPipeline(const Pipeline &pipeline);

/// The text of an entry, "constant-folding{elements=64}", with the options that differ from their defaults. It is for
/// display: long texts are cut.
std::string print(const Entry &entry);
/// "true", "64", "relu": as written in a pipeline.
std::string print(const OptionValue &value);

} // namespace cutaway::passes
