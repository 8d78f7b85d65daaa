// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>
#include <vector>

namespace cutaway::cli {

/// Two saved profiles, A first, and the files of their models. If both profiles belong to one model, there need be no
/// files; otherwise there are two.
struct ProfilePair {
    std::vector<std::string> profiles;
    std::vector<std::string> models;
    std::string function;
    bool json = false;
};

/// Prints the changes from A to B. The answer is "no" if B is slower by more than the noise. Errors, with the file that
/// they are about: a file cannot be read; the profiles belong to different models whose files are not named.
Result<Answer> compareProfiles(const ProfilePair &pair);

} // namespace cutaway::cli
