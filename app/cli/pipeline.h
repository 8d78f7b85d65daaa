// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pipeline.h"
#include "core/plugin/plugin_passes.h"

#include <string>

namespace cutaway::cli {

/// Calls read(passes of plugins). Plugins that must be asked for their passes are started only if it fails without.
template <class Read>
auto withPasses(Read read)
{
    auto result = read(plugin::foundPasses());
    return result ? std::move(result) : read(plugin::askedPasses());
}

/// Reads a pipeline as a user writes it, or from a file of that name; "": the default one. Errors: as parsePipeline();
/// the file cannot be read.
Result<passes::Pipeline> readPipeline(const std::string &text);

} // namespace cutaway::cli
