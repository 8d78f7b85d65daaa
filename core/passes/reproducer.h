// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/passes/pipeline.h"

#include <filesystem>
#include <optional>

namespace cutaway::passes {

/// What passes are run on.
struct Case {
    ir::Model model;
    ir::FunctionId function;
    std::optional<Pipeline> pipeline;
};

/// JSON (schema "cutaway.reproducer/1"); the weights stay where they are.
std::string printReproducer(const ir::Model &model, ir::FunctionId function, const Pipeline &pipeline);

/// Reads one back; nothing if the file is something else. `others`: see parsePipeline(). Errors: it is one and not
/// whole.
Result<std::optional<Case>> readReproducer(const std::filesystem::path &path, std::span<const Pass *const> others = {});

} // namespace cutaway::passes
