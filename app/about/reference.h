// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"

namespace cutaway::about {

/// The page of the manual on a program: every command with its arguments, options and examples, in Markdown.
std::string referencePage(const DeclaredCommand &program);

} // namespace cutaway::about
