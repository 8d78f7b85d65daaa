// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

/// A pass in its turn.
struct Entry {
    const Pass *pass = nullptr;
    Settings settings;
    bool isEnabled = true;
    bool operator==(const Entry &) const = default;
};

/// Passes one after another; all of them again, up to `turns` times, as long as a turn changes something.
struct Pipeline {
    std::vector<Entry> entries;
    int turns = 1;
    bool operator==(const Pipeline &) const = default;
};
inline constexpr int maxIterations = 100;

/// What a user means who asks for no particular one: all that is safe for every model.
Pipeline defaultPipeline();

/// Reads "dead-code,constant-folding{elements=64},dead-code", or the JSON that printPipeline writes. Errors (usage): a
/// pass or an option that does not exist, and which are called alike; a value of another type. `others`: passes that
/// may be named beside Cutaway's own, and live as long as the pipeline.
Result<Pipeline> parsePipeline(std::string_view text, std::span<const Pass *const> others = {});

/// JSON (schema "cutaway.pipeline/1").
std::string printPipeline(const Pipeline &pipeline);

/// "constant-folding{elements=64}": with the options that are not as usual.
std::string print(const Entry &entry);
/// "true", "64", "relu": as a pipeline has it.
std::string print(const OptionValue &value);

} // namespace cutaway::passes
