// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/report/lint/finding_place.h"
#include "core/report/lint/lint_report.h"

namespace cutaway::report {

namespace {

void writeLintText(JsonWriter &out, std::string_view key, std::string_view text)
{
    out.key(key);
    text.empty() ? out.null() : out.value(text);
}

void writeFinding(JsonWriter &out, const ir::Model &model, const lint::Finding &finding)
{
    const FindingPlace place = placeOf(model, finding);
    out.beginObject();
    out.member("rule", finding.rule->id);
    out.member("severity", lint::levelOf(finding.rule->severity));
    out.member("message", finding.message);
    writeLintText(out, "function", place.function);
    out.key("node");
    place.node ? out.value(place.node->id().index) : out.null();
    writeLintText(out, "name", place.name);
    writeLintText(out, "op", place.op);
    writeLintText(out, "scope", place.scope);
    writeLintText(out, "source", place.source());
    out.endObject();
}

void writeAskedRule(JsonWriter &out, const lint::Rule &rule)
{
    out.beginObject();
    out.member("id", rule.id);
    out.member("severity", lint::levelOf(rule.severity));
    out.member("summary", rule.summary);
    out.endObject();
}

} // namespace

std::string lintJson(const LintResult &result)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.lint/1");
    out.key("model");
    out.beginObject();
    out.member("path", result.model.path);
    out.member("format", result.model.format);
    out.endObject();
    out.key("rules");
    out.beginArray();
    for (const lint::Rule *rule : result.rules)
        writeAskedRule(out, *rule);
    out.endArray();
    out.key("findings");
    out.beginArray();
    for (const lint::Finding &finding : result.findings)
        writeFinding(out, result.model, finding);
    out.endArray();
    const LintTotals totals = totalsOf(result.findings);
    out.key("totals");
    out.beginObject();
    out.member("errors", std::uint64_t{totals.errors});
    out.member("warnings", std::uint64_t{totals.warnings});
    out.member("notes", std::uint64_t{totals.notes});
    out.endObject();
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
