// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/schemas/schema.h"

namespace cutaway::ops {

/// Returns the schemas of an operator of torch, of all versions from 1.13 on, in the order in which overload
/// resolution tries them; none for an operator that torch itself does not have. Only the operator's own lines are
/// read, which takes a few microseconds; callers that need the result often keep it. Any thread may call this.
std::vector<Schema> schemasOf(std::string_view dialect, std::string_view name);

/// The newest schema of one overload.
std::optional<Schema> findSchema(std::string_view dialect, std::string_view name, std::string_view overload);

/// The whole table, a schema per line.
std::string_view schemaTable();

} // namespace cutaway::ops
