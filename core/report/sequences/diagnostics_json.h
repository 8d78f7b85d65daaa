// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/sequence/sequence.h"

namespace cutaway::report {

/// Writes a member with the messages about a source: severity, message, file and line of each.
void writeDiagnostics(JsonWriter &out, std::string_view key, std::span<const sequence::Diagnostic> diagnostics);

} // namespace cutaway::report
