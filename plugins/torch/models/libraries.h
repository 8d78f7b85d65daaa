// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>

namespace cutaway::plugins {

/// Loads libraries that register operators with torch; one that is there already stays as it is. Errors (Usage): one
/// cannot be loaded, and why.
Result<void> loadLibraries(std::span<const std::string> paths);

} // namespace cutaway::plugins
