// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway {

/// Returns a text as one word of a shell, whatever characters it has: 'it'\''s'.
std::string quotedForShell(std::string_view word);

} // namespace cutaway
