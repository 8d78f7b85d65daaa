// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

namespace cutaway::plugins {

/// Applies a pass of torch to a model; returns the model as JSON. Errors: Usage for an unknown pass or function,
/// Unreadable for the model, Backend for what torch's graph cannot represent and for torch's errors.
Result<std::string> transform(const protocol::Transform &request, const std::string &payload);

} // namespace cutaway::plugins
