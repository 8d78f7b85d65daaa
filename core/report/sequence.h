// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::report {

/// Writes what passes did as a folder, which is made if it is not there: a picture of the graph as the file has it
/// ("00-file.svg") and one of each step that changed something, before and after in one ("02-dead-code.svg"), and both
/// with the steps' figures as index.html and index.md. Errors (Backend): the folder or a file cannot be written;
/// Cancelled.
Result<void> writeSequence(const passes::History &history, const std::filesystem::path &folder,
                           std::stop_token stop = {});

} // namespace cutaway::report
