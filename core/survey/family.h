// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/database.h"

namespace cutaway::survey {

/// Returns the deepest folder that contains all models.
std::filesystem::path commonFolder(const std::vector<Entry> &entries);

/// Returns a name that is the same for models of one architecture: the class of the root module, without its package,
/// if the file has modules; else the file's name up to its first digit, blank, '-', '_' or '.', in small letters.
std::string familyOf(const Entry &entry);

} // namespace cutaway::survey
