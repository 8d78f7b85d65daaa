// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace cutaway::test {

/// Says where a file differs from what a target would write, and returns whether it does.
inline int checkWritten(const std::string &path, const std::string &content, std::string_view target)
{
    std::ifstream file(path);
    std::istringstream wanted(content);
    std::string found, line;
    for (int number = 1;; ++number) {
        const bool isMore = static_cast<bool>(std::getline(file, found));
        if (!std::getline(wanted, line) && !isMore)
            return 0;
        if (isMore && wanted && found == line)
            continue;
        std::cerr << formatted("{}:{}: the rows of core/ops say\n  {}\nnot\n  {}\n", path, number,
                               wanted ? line : "(nothing)", isMore ? found : "(nothing)")
                  << formatted("Write it anew: packaging/build test {}\n", target);
        return 1;
    }
}

} // namespace cutaway::test
