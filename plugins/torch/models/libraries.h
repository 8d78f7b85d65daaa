// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>

namespace cutaway::plugins {

/// Loads libraries that register operators with torch; a library that was loaded before is skipped. Errors (Usage): the
/// first one that cannot be loaded, and why.
Result<void> loadLibraries(std::span<const std::string> paths);

} // namespace cutaway::plugins
