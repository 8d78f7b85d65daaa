// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace cutaway::trace {

/// Whether a file, packed by gzip or not, begins like a trace that read() supports.
bool recognizes(const std::string &path);

} // namespace cutaway::trace
