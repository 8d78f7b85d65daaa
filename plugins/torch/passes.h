// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

namespace cutaway::plugins {

/// What a pass of torch's makes of a model, as JSON. Errors: Usage for a pass or function that is not there, Unreadable
/// for the model, Backend for what torch's graphs cannot hold and what torch says.
Result<std::string> transform(const protocol::Transform &request, const std::string &payload);

} // namespace cutaway::plugins
