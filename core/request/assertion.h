// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::request {

/// "time<5ms": that a figure is below a limit, or with `>` above it.
struct Assertion {
    std::string figure;
    bool isBelow = true;
    double limit = 0; ///< seconds or bytes
    std::string text; ///< as it was written
};

/// Reads "time<5ms,peak<100MB": units ns, us, ms, s, B, kB, MB, GB, KiB, MiB, GiB. Errors (Usage): what is wrong in it.
Result<std::vector<Assertion>> parseAssertions(std::string_view text);

/// Those that do not hold, each in a line: "time<5ms does not hold: it is 7.1 ms". Errors (Usage): a figure that is not
/// there, and which there are.
Result<std::vector<std::string>> broken(const std::vector<Assertion> &assertions,
                                        const std::map<std::string, double> &figures);

} // namespace cutaway::request
