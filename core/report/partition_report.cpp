// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/partition_report.h"

#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/node_ref.h"
#include "core/print/text_table.h"

#include <map>
#include <numeric>

namespace cutaway::report {

namespace {

using Others = std::vector<run::Support::Other>;

std::size_t nodesInParts(const PartitionedModel &partitioned)
{
    return std::accumulate(partitioned.parts.begin(), partitioned.parts.end(), std::size_t{0},
                           [](std::size_t sum, const PartitionPart &part) { return sum + part.nodes; });
}

std::size_t nodesAsked(const run::Support &support)
{
    return support.taken.size() + support.refused.size() + support.unknown.size();
}

/// Returns the number of nodes of the body that have regions: its control flow.
std::size_t nodesWithGraphs(const ir::Graph &graph)
{
    std::size_t count = 0;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        count += node->regions.empty() ? 0 : 1;
    return count;
}

/// Returns a line per operator and reason.
std::string othersText(std::string_view title, const ir::Graph &graph, const Others &others)
{
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const run::Support::Other &other : others)
        ++counts[{ir::NodeRef(graph, other.node).fullName(), other.reason}];
    std::string text;
    for (const auto &[what, count] : counts)
        text += formatted("{}: {} ({}): {}\n", title, sanitized(what.first), quantity(count, "node"),
                          sanitized(what.second));
    return text;
}

std::string namesOf(const std::vector<PartitionPart::Input> &inputs)
{
    std::string text;
    for (const PartitionPart::Input &input : inputs)
        text += (text.empty() ? "" : ", ") + sanitized(input.name);
    return text;
}

std::string namesOf(const std::vector<std::string> &results)
{
    std::string text;
    for (const std::string &name : results)
        text += (text.empty() ? "" : ", ") + sanitized(name);
    return text;
}

/// Returns how to run the first written part.
std::string howToRun(const PartitionedModel &partitioned)
{
    for (const PartitionPart &part : partitioned.parts) {
        if (part.file.empty())
            continue;
        std::string text = "\nTo run a part: cutaway-cli run " + part.file;
        for (const PartitionPart::Input &input : part.inputs)
            if (!input.file.empty())
                text += formatted(" --input {}=@{}", input.name, input.file);
        return sanitized(text.substr(1)) + "\n";
    }
    return {};
}

void writeOthers(JsonWriter &out, std::string_view key, const ir::Graph &graph, const Others &others)
{
    out.key(key);
    out.beginArray();
    for (const run::Support::Other &other : others) {
        out.beginObject();
        out.member("node", std::uint64_t{other.node.index});
        out.member("name", ir::NodeRef(graph, other.node).name());
        out.member("op", ir::NodeRef(graph, other.node).fullName());
        out.member("reason", other.reason);
        out.endObject();
    }
    out.endArray();
}

void writeFileOrNull(JsonWriter &out, const std::string &file)
{
    out.key("file");
    if (file.empty())
        out.null();
    else
        out.value(file);
}

void writePart(JsonWriter &out, const PartitionPart &part)
{
    out.beginObject();
    out.member("name", part.name);
    out.member("nodes", std::uint64_t{part.nodes});
    out.key("inputs");
    out.beginArray();
    for (const PartitionPart::Input &input : part.inputs) {
        out.beginObject();
        out.member("name", input.name);
        writeFileOrNull(out, input.file);
        out.endObject();
    }
    out.endArray();
    out.key("results");
    out.beginArray();
    for (const std::string &name : part.results)
        out.value(name);
    out.endArray();
    writeFileOrNull(out, part.file);
    out.endObject();
}

} // namespace

std::string partitionText(const PartitionedModel &partitioned)
{
    print::TextTable table({{}, {.align = print::TextTable::Align::Right}, {.maxWidth = 40}, {.maxWidth = 40}, {}});
    table.addRow({"part", "nodes", "inputs", "results", "file"});
    for (const PartitionPart &part : partitioned.parts)
        table.addRow({part.name, std::to_string(part.nodes), namesOf(part.inputs), namesOf(part.results), part.file});
    std::string text = partitioned.parts.empty() ? "" : table.print(0) + "\n";
    text += formatted("{} takes {} of {}; {} in {}\n", partitioned.backend, partitioned.support.taken.size(),
                      quantity(nodesAsked(partitioned.support), "node"), nodesInParts(partitioned),
                      quantity(partitioned.parts.size(), "part"));
    text += othersText("not taken", partitioned.graph, partitioned.support.refused);
    text += othersText("not known", partitioned.graph, partitioned.support.unknown);
    if (const std::size_t count = nodesWithGraphs(partitioned.graph); count > 0)
        text += formatted("{} {} graphs of {} own, such as branches: these stay whole, in no part\n",
                          quantity(count, "node"), count == 1 ? "has" : "have", count == 1 ? "its" : "their");
    if (!partitioned.inputFault.empty())
        text += "The inputs of the parts are not written: " + sanitized(partitioned.inputFault) + "\n";
    return text + howToRun(partitioned);
}

std::string partitionJson(const PartitionedModel &partitioned)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.partition/1");
    out.member("backend", partitioned.backend);
    out.member("taken", std::uint64_t{partitioned.support.taken.size()});
    writeOthers(out, "not_taken", partitioned.graph, partitioned.support.refused);
    writeOthers(out, "not_known", partitioned.graph, partitioned.support.unknown);
    out.key("parts");
    out.beginArray();
    for (const PartitionPart &part : partitioned.parts)
        writePart(out, part);
    out.endArray();
    out.key("inputs_not_written");
    if (partitioned.inputFault.empty())
        out.null();
    else
        out.value(partitioned.inputFault);
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
