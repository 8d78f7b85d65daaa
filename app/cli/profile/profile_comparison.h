// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>
#include <vector>

namespace cutaway::cli {

/// Two saved profiles, A first, and their model files: either both or, if the profiles are of one model, none.
struct ProfilePair {
    std::vector<std::string> profiles;
    std::vector<std::string> models;
    std::string function;
    bool json = false;
};

/// Prints the changes from A to B; the answer is "no" if B is slower beyond the noise. Errors name the file that they
/// are about: a file cannot be read; profiles of different models without model files.
Result<Answer> compareProfiles(const ProfilePair &pair);

} // namespace cutaway::cli
