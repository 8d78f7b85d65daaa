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
    const Pass *addedFor = nullptr; ///< the pass for which withNeeds() added this entry; else nullptr
    bool operator==(const Entry &) const = default;
};

/// Passes in order. They run up to `iterations` times, as long as one of them changes something.
struct Pipeline {
    std::vector<Entry> entries;
    int iterations = 1;
    bool operator==(const Pipeline &) const = default;
};
inline constexpr int maxIterations = 100;

/// Returns the default pipeline: all passes that are safe for every model.
Pipeline defaultPipeline();

/// Returns the pipeline for as few operators as possible: the default pipeline, and passes that fuse operators and fold
/// weights, which change results within rounding. `mayUseContrib`: passes may use ONNX Runtime's own operators where
/// the standard has none.
Pipeline optimizingPipeline(bool mayUseContrib = false);

/// Reads "dead-code,constant-folding{elements=64},dead-code", or the JSON of printPipeline(); a value with blanks,
/// commas or braces stands in quotes, "a \"b\"". Errors (Usage): an unknown pass or option, with similar names; a value
/// of another type, or that the pass cannot use. "default" stands for the passes of the default pipeline, "optimize"
/// and "optimize{contrib=true}" for those of the optimizing one: alone with their iterations, among others once.
/// `others`: further passes that may be named; they must outlive the pipeline.
Result<Pipeline> parsePipeline(std::string_view text, std::span<const Pass *const> others = {});

/// Returns the pipeline with the passes added that its passes need before them or want after them, where they are
/// missing. A pass whose entry is switched off is not missing: the user does not want it.
Pipeline withNeeds(Pipeline pipeline);

/// Returns the pipeline as JSON (schema "cutaway.pipeline/1").
std::string printPipeline(const Pipeline &pipeline);

/// Returns the text of an entry, "constant-folding{elements=64}", with the options that differ from their defaults. It
/// is for display: long texts are cut.
std::string print(const Entry &entry);
/// Returns the value as written in a pipeline: "true", "64", "relu".
std::string print(const OptionValue &value);

} // namespace cutaway::passes
