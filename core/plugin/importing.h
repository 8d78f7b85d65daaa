// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/plugin/found.h"

#include <filesystem>

namespace cutaway::plugin {

/// Returns the plugin that imports files of this suffix; nullptr if there is none.
const Manifest *importerOf(const std::filesystem::path &file, std::span<const Manifest> plugins);

/// Imports a file by a plugin on this machine, in a sandbox if the machine has one; a diagnostic names the plugin and
/// whether it ran in a sandbox. Errors: those of the plugin; the model is invalid, or its weights are in files outside
/// of the file's folder.
Result<ir::Model> importFile(const Manifest &plugin, const std::filesystem::path &file, const Task &task = {});

/// Opens a file as formats::open() does; a file of no built-in format is read by the plugin for its suffix. Errors:
/// those of formats::open() and importFile(); the plugin's program is missing.
Result<ir::Model> open(const std::filesystem::path &file, const Task &task = {});

} // namespace cutaway::plugin
