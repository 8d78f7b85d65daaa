// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pipeline.h"
#include "core/plugin/plugin_passes.h"

#include <string>

namespace cutaway::cli {

/// Calls `read` with the passes of plugins that are known without starting a plugin. If that fails, calls it again with
/// the passes of all plugins.
template <class Read>
auto withPasses(Read read)
{
    auto result = read(plugin::foundPasses());
    return result ? std::move(result) : read(plugin::askedPasses());
}

/// Reads a pipeline as a user writes it, or from the file of that name; "" is the default pipeline. Errors: those of
/// parsePipeline(); the file cannot be read.
Result<passes::Pipeline> readPipeline(const std::string &text);

} // namespace cutaway::cli
