// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace cutaway {

/// Creates a file atomically: `write` writes a temporary file beside `path`, which then replaces `path`. Errors: those
/// of `write`, naming `path`; Backend where the file cannot be replaced.
Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write);

/// Writes `content` atomically. Errors (Backend): it cannot be written.
Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content);

} // namespace cutaway
