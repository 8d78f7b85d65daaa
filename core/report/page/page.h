// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/page/page_states.h"

#include <stop_token>
#include <string>

namespace cutaway::report {

/// Returns an HTML file in which a reader opens modules, searches, reads about nodes and colours by a figure; it loads
/// nothing. Without scripts it shows the picture of the function with closed modules. Errors: only Cancelled.
Result<std::string> interactivePage(const Subject &subject, const PageAdditions &additions = {},
                                    std::stop_token stop = {});

} // namespace cutaway::report
