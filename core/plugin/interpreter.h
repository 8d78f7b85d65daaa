// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// The word of a command that is replaced by the user's Python.
inline constexpr const char *pythonWord = "${python}";
/// The environment variable that names the user's Python: a program, or the folder of its environment.
inline constexpr const char *pythonVariable = "CUTAWAY_PYTHON";

/// Returns the user's Python on this machine: that of CUTAWAY_PYTHON, else `configured`, else that of VIRTUAL_ENV or
/// CONDA_PREFIX, else "python3" of the PATH. `configured`: a program or the folder of an environment; "": none.
std::string interpreter(const std::filesystem::path &configured = {});

/// Returns the folders that hold an interpreter, its library and its packages: its environment, and the installation
/// that a virtual environment was made from. A folder that contains the home folder is left out.
std::vector<std::filesystem::path> foldersOf(const std::filesystem::path &interpreter);

} // namespace cutaway::plugin
