// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::request {

/// A condition on a figure: "time<5ms" is an upper limit, with `>` it is a lower one.
struct Assertion {
    std::string figure;
    bool isBelow = true;
    double limit = 0; ///< seconds or bytes
    std::string text; ///< as it was written
};

/// Parses "time<5ms,peak<100MB": units ns, us, ms, s, B, kB, MB, GB, KiB, MiB, GiB. Errors (Usage): the part that is
/// malformed.
Result<std::vector<Assertion>> parseAssertions(std::string_view text);

/// The assertions that do not hold, a line each: "time<5ms does not hold: it is 7.1 ms". Errors (Usage): an unknown
/// figure, with the list of known ones.
Result<std::vector<std::string>> broken(const std::vector<Assertion> &assertions,
                                        const std::map<std::string, double> &figures);

} // namespace cutaway::request
