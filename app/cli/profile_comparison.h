// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>
#include <vector>

namespace cutaway::cli {

/// Two saved profiles, A first, and their model files: none where it is one model, or both.
struct ProfilePair {
    std::vector<std::string> profiles;
    std::vector<std::string> models;
    std::string function;
    bool json = false;
};

/// What changed from one to the other; the answer is no if B is slower beyond the noise. `file` becomes the one that is
/// being read, for messages. Errors: a file cannot be read; profiles of two models without these.
Result<Answer> compareProfiles(std::string &file, const ProfilePair &pair);

} // namespace cutaway::cli
