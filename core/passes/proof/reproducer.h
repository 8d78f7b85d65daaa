// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/passes/pipeline.h"

#include <filesystem>
#include <optional>

namespace cutaway::passes {

/// The model, function and pipeline that a reproducer runs.
struct Case {
    ir::Model model;
    ir::FunctionId function;
    std::optional<Pipeline> pipeline;
};

/// Returns a reproducer as JSON (schema "cutaway.reproducer/1"); weights are references to their files.
std::string printReproducer(const ir::Model &model, ir::FunctionId function, const Pipeline &pipeline);

/// Reads a reproducer; nothing if the file is something else. `others`: see parsePipeline(). Errors: a malformed
/// reproducer.
Result<std::optional<Case>> readReproducer(const std::filesystem::path &path, std::span<const Pass *const> others = {});

} // namespace cutaway::passes
