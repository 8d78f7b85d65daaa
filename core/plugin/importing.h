// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/plugin/found.h"

#include <filesystem>

namespace cutaway::plugin {

/// The plugin that reads files of this suffix, or nullptr.
const Manifest *importerOf(const std::filesystem::path &file, std::span<const Manifest> plugins);

/// Has a plugin read a file, here and in a sandbox where there is one; a diagnostic says who has read it and how.
/// Errors: of the plugin; the model is not whole, or has weights in files that lie outside of the file's folder.
Result<ir::Model> importFile(const Manifest &plugin, const std::filesystem::path &file, const Task &task = {});

/// Opens a file as formats::open() does; one that no format of Cutaway's own knows is read by the plugin that has its
/// suffix. Errors: also that the plugin's program is not there.
Result<ir::Model> open(const std::filesystem::path &file, const Task &task = {});

} // namespace cutaway::plugin
