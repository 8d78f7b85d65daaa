// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway {

/// 'it'\''s': one word for a shell, whatever characters it has.
std::string quotedForShell(std::string_view word);

} // namespace cutaway
