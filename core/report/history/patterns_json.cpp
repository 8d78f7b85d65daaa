// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/history/patterns_json.h"

namespace cutaway::report {

namespace {

void writeOperators(JsonWriter &out, std::string_view key, const diff::StepPattern::Operators &operators)
{
    out.list(key, operators, [&](const auto &each) {
        out.beginObject();
        out.member("operator", each.first);
        out.member("count", std::uint64_t{each.second});
        out.endObject();
    });
}

} // namespace

void writePatterns(JsonWriter &out, std::span<const diff::StepPattern> patterns)
{
    out.list("patterns", patterns, [&](const diff::StepPattern &pattern) {
        out.beginObject();
        out.member("kind", diff::name(pattern.kind));
        out.member("count", std::uint64_t{pattern.count});
        writeOperators(out, "before", pattern.before);
        writeOperators(out, "after", pattern.after);
        out.member("text", diff::print(pattern));
        out.endObject();
    });
}

} // namespace cutaway::report
