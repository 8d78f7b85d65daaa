// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"

namespace cutaway::about {

/// Each of these functions returns a script with which a shell completes commands, options, the choices of options, and
/// files.
std::string bashCompletion(const DeclaredCommand &program);
std::string zshCompletion(const DeclaredCommand &program);
std::string fishCompletion(const DeclaredCommand &program);

} // namespace cutaway::about
