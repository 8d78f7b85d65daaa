// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/report/lint/finding_place.h"
#include "core/report/lint/lint_report.h"

#include <algorithm>
#include <cctype>

// A model file has no lines that a reader knows, so the location of a result is the file, with a logical location in
// it. The line of the program that the node was made from is a related location.

namespace cutaway::report {

namespace {

/// Returns a path as a URI reference: each byte that is no letter, digit or one of "-._~/" becomes %XX.
std::string uriOf(std::string_view path)
{
    std::string uri;
    for (const unsigned char c : path)
        if (std::isalnum(c) || std::string_view("-._~/").contains(static_cast<char>(c)))
            uri += static_cast<char>(c);
        else
            uri += formatted("%{:02X}", c);
    return path.starts_with('/') ? "file://" + uri : uri;
}

void writeSarifMessage(JsonWriter &out, std::string_view key, std::string_view text)
{
    out.key(key);
    out.beginObject();
    out.member("text", text);
    out.endObject();
}

/// Writes the member "physicalLocation"; without a line if `line` is 0.
void writePhysical(JsonWriter &out, std::string_view path, std::uint32_t line)
{
    out.key("physicalLocation");
    out.beginObject();
    out.key("artifactLocation");
    out.beginObject();
    out.member("uri", uriOf(path));
    out.endObject();
    if (line > 0) {
        out.key("region");
        out.beginObject();
        out.member("startLine", line);
        out.endObject();
    }
    out.endObject();
}

void writeLogical(JsonWriter &out, const FindingPlace &place)
{
    out.key("logicalLocations");
    out.beginArray();
    out.beginObject();
    out.member("name", place.name.empty() ? place.function : place.name);
    out.member("fullyQualifiedName", place.qualifiedName());
    out.member("kind", place.name.empty() ? "function" : "object");
    out.endObject();
    out.endArray();
}

void writeRelated(JsonWriter &out, const FindingPlace &place)
{
    out.key("relatedLocations");
    out.beginArray();
    out.beginObject();
    writePhysical(out, place.sourceFile, place.sourceLine);
    writeSarifMessage(out, "message", "the line that " + place.name + " was made from");
    out.endObject();
    out.endArray();
}

void writeResult(JsonWriter &out, const LintResult &result, const lint::Finding &finding)
{
    const FindingPlace place = placeOf(result.model, finding);
    out.beginObject();
    out.member("ruleId", finding.rule->id);
    out.member("ruleIndex",
               static_cast<std::int64_t>(std::ranges::find(result.rules, finding.rule) - result.rules.begin()));
    out.member("level", lint::levelOf(finding.rule->severity));
    writeSarifMessage(out, "message", place.op.empty() ? finding.message : place.op + ": " + finding.message);
    out.key("locations");
    out.beginArray();
    out.beginObject();
    writePhysical(out, result.model.path, 0);
    if (finding.function)
        writeLogical(out, place);
    out.endObject();
    out.endArray();
    if (!place.sourceFile.empty())
        writeRelated(out, place);
    out.endObject();
}

void writeSarifRule(JsonWriter &out, const lint::Rule &rule)
{
    out.beginObject();
    out.member("id", rule.id);
    out.member("helpUri", "docs/lint.md#" + std::string(rule.id));
    writeSarifMessage(out, "shortDescription", rule.summary);
    out.key("help");
    out.beginObject();
    out.member("text", ruleHelp(rule.id));
    out.member("markdown", ruleHelp(rule.id));
    out.endObject();
    out.key("defaultConfiguration");
    out.beginObject();
    out.member("level", lint::levelOf(rule.severity));
    out.member("enabled", rule.asked == lint::Rule::Asked::ByDefault);
    out.endObject();
    out.endObject();
}

void writeTool(JsonWriter &out, const LintResult &result, std::string_view version)
{
    out.key("tool");
    out.beginObject();
    out.key("driver");
    out.beginObject();
    out.member("name", "cutaway-cli lint");
    out.member("version", version);
    out.key("rules");
    out.beginArray();
    for (const lint::Rule *rule : result.rules)
        writeSarifRule(out, *rule);
    out.endArray();
    out.endObject();
    out.endObject();
}

} // namespace

std::string lintSarif(const LintResult &result, std::string_view version)
{
    JsonWriter out;
    out.beginObject();
    out.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    out.member("version", "2.1.0");
    out.key("runs");
    out.beginArray();
    out.beginObject();
    writeTool(out, result, version);
    out.key("results");
    out.beginArray();
    for (const lint::Finding &finding : result.findings)
        writeResult(out, result, finding);
    out.endArray();
    out.member("columnKind", "unicodeCodePoints");
    out.endObject();
    out.endArray();
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
