// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"

namespace cutaway::about {

/// The manual page of a program or command in man's own language, with those of the commands below it.
std::string manualPage(const DeclaredCommand &command, std::string_view version, std::string_view date);

} // namespace cutaway::about
