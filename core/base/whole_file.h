// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace cutaway {

/// Makes a file that is there whole or not at all: `write` makes one of another name beside it, which then takes its
/// place. Errors: those of `write`, told of `path`; Backend where the file cannot take its place.
Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write);

/// The same with this content. Errors (Backend): it cannot be written.
Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content);

} // namespace cutaway
