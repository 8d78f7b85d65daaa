// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::report {

/// Writes the history of passes into a folder, which is created if missing: a picture of the file's graph
/// ("00-file.svg"), a before-and-after picture of each step that changed something ("02-dead-code.svg"), and all of
/// them with the steps' figures as index.html and index.md. Errors: Backend if the folder or a file cannot be written;
/// Cancelled.
Result<void> writeStepPictures(const passes::History &history, const std::filesystem::path &folder,
                               std::stop_token stop = {});

} // namespace cutaway::report
