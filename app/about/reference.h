// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/about/declared.h"

namespace cutaway::about {

/// Returns the manual's page on a program in Markdown: every command with its arguments, options and examples.
std::string referencePage(const DeclaredCommand &program);

} // namespace cutaway::about
