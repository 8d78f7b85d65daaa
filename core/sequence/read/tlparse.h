// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <filesystem>

namespace cutaway::sequence {

/// A folder in a page that tlparse makes of a structured log, with the texts of one compilation, "-_0_0_1" (compiled
/// autograd, frame, compilation, attempt), or of one record that names no compilation, "unknown_12". Its files have a
/// name, a number that counts through the page, and an ending: "aot_joint_graph_7.txt".
struct TlparseFolder {
    std::filesystem::path path;
    std::optional<std::string> compileId; ///< "0/0_1"
    std::string frame;                    ///< the id without the attempt
    int attempt = 0;
};
std::optional<TlparseFolder> tlparseFolder(const std::filesystem::path &path);

/// Whether a folder is a page of tlparse.
bool isTlparsePage(const std::filesystem::path &folder);

/// Adds the contents of the folders, page by page. They are only read if the log is missing, which has more information
/// and usually lies in the page.
void readTlparseFolders(const std::vector<TlparseFolder> &folders, Document &document, const Task &task);

} // namespace cutaway::sequence
