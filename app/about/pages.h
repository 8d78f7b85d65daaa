// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>

namespace cutaway::about {

/// Writes what is installed beside a program into a folder: man1/PROGRAM.1 and man1/PROGRAM-COMMAND.1,
/// bash-completion/PROGRAM, zsh/_PROGRAM and fish/PROGRAM.fish; and the manual's page reference/PROGRAM.md. Errors: a
/// file cannot be written.
Result<void> writePages(const DeclaredCommand &program, const std::filesystem::path &folder);

/// If the program was called as `PROGRAM --write-pages FOLDER`, which is hidden and used by packaging, writes the pages
/// and returns the exit code; returns nullopt for all other calls.
std::optional<int> answeredPages(const CLI::App &program, int argc, char **argv);

} // namespace cutaway::about
