// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/read/tlparse.h"
#include "core/sequence/sequence.h"

#include <filesystem>

namespace cutaway::sequence {

/// A folder that TORCH_COMPILE_DEBUG makes for each graph that Inductor compiles: "model__0_forward_1.0".
struct DebugFolder {
    std::filesystem::path path;
    std::uint64_t aotId = 0;
    std::string part; ///< "forward", "backward", "inference"
};
std::optional<DebugFolder> debugFolder(const std::filesystem::path &path);

/// The files in a folder and those below it, in the order of their names, where numbers are compared as numbers.
struct FolderFiles {
    std::vector<DebugFolder> debug;
    std::vector<TlparseFolder> tlparse;        ///< folders of tlparse; those of one page are consecutive
    std::vector<std::filesystem::path> others; ///< further files
    bool isCut = false;                        ///< whether the folder has more files than the limits allow
};
FolderFiles filesIn(const std::filesystem::path &folder);

/// Adds the graphs before and after Inductor's passes that debug folders contain, and the code that was made of them.
/// There is a sequence for each forward and each backward.
void readDebugFolders(std::vector<DebugFolder> folders, Document &document, const Task &task);

} // namespace cutaway::sequence
