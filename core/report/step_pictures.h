// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/report/document.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace cutaway::report {

/// A section on a step with its picture `svg`, which is also written as a file that the section names.
struct DrawnStep {
    Section section;
    std::string svg;
};

/// Draws the first graph of a history, and for each step that changed something the graphs before and after. The ids of
/// sections and the names of files begin with `prefix`. Errors: Cancelled, or a picture cannot be laid out.
Result<std::vector<DrawnStep>> drawSteps(const passes::History &history, const std::string &prefix = {},
                                         std::stop_token stop = {});

/// Writes a report, with these sections after its own, into a folder, which is created if missing: the pictures as
/// files, and all as index.html and index.md. Errors: Backend if the folder or a file cannot be written.
Result<void> writePages(Document document, std::vector<DrawnStep> drawn, const std::filesystem::path &folder);

/// Writes the history of passes into a folder, which is created if missing: a picture of the file's graph
/// ("00-file.svg"), a before-and-after picture of each step that changed something ("02-dead-code.svg"), and all of
/// them with the steps' figures as index.html and index.md. Errors: Backend if the folder or a file cannot be written;
/// Cancelled.
Result<void> writeStepPictures(const passes::History &history, const std::filesystem::path &folder,
                               std::stop_token stop = {});

} // namespace cutaway::report
