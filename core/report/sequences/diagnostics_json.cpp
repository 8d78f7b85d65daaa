// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sequences/diagnostics_json.h"

namespace cutaway::report {

void writeDiagnostics(JsonWriter &out, std::string_view key, std::span<const sequence::Diagnostic> diagnostics)
{
    out.list(key, diagnostics, [&](const sequence::Diagnostic &diagnostic) {
        out.beginObject();
        out.member("severity",
                   diagnostic.severity == ir::Severity::Error         ? "error"
                       : diagnostic.severity == ir::Severity::Warning ? "warning"
                                                                      : "note");
        out.member("message", diagnostic.message);
        out.member("file", diagnostic.file);
        out.key("line");
        diagnostic.line ? out.value(*diagnostic.line) : out.null();
        out.endObject();
    });
}

} // namespace cutaway::report
