// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"

namespace cutaway::about {

/// Returns the manual page of a program or command in troff's man macros. The page of a command has sections on the
/// commands below it; that of a program names their pages.
std::string manualPage(const DeclaredCommand &command, std::string_view version, std::string_view date);

} // namespace cutaway::about
