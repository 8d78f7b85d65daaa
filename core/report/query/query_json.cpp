// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/base/overloaded.h"
#include "core/print/dim_json.h"
#include "core/report/query/query_report.h"

namespace cutaway::report {

namespace {

void writeData(JsonWriter &out, const std::vector<std::string> &columns, const std::vector<node_data::Cell> &cells)
{
    if (columns.empty())
        return;
    out.key("data");
    out.beginObject();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out.key(columns[i]);
        std::visit(Overloaded{[&](std::monostate) { out.null(); }, [&](const auto &value) { out.value(value); }},
                   cells[i]);
    }
    out.endObject();
}

void writeFoundNode(JsonWriter &out, const FoundNode &node, const std::vector<std::string> &columns)
{
    out.beginObject();
    out.member("node", node.id.index);
    for (const auto &[key, text] : {std::pair<std::string_view, const std::string &>{"name", node.name},
                                    {"op", node.op},
                                    {"scope", node.scope},
                                    {"result", node.result},
                                    {"source", node.source}}) {
        out.key(key);
        text.empty() ? out.null() : out.value(text);
    }
    out.member("category", ops::name(node.category));
    out.key("within");
    node.within ? out.value(node.within->index) : out.null();
    for (const auto &[property, size] : node.sizes) {
        out.key(query::rowOf(property).name);
        print::writeDim(out, size);
    }
    out.key("seconds");
    node.seconds ? out.value(*node.seconds) : out.null();
    writeData(out, columns, node.data);
    out.endObject();
}

void writeFoundIn(JsonWriter &out, const FoundInFunction &function)
{
    out.beginObject();
    out.member("name", function.function);
    out.member("nodes", std::uint64_t{function.nodes});
    out.key("found");
    out.beginArray();
    for (const FoundNode &node : function.found)
        writeFoundNode(out, node, function.columns);
    out.endArray();
    out.endObject();
}

void writeNotKnown(JsonWriter &out, const std::vector<query::NotKnown> &all)
{
    out.key("not_known");
    out.beginArray();
    for (const query::NotKnown &each : all) {
        out.beginObject();
        out.member("property", query::rowOf(each.property).name);
        out.member("nodes", std::uint64_t{each.nodes});
        out.endObject();
    }
    out.endArray();
}

} // namespace

std::string queryJson(const QueryResult &result)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.query/1");
    out.key("model");
    out.beginObject();
    out.member("path", result.model.path);
    out.member("format", result.model.format);
    out.endObject();
    out.member("query", result.text);
    out.member("found", std::uint64_t{result.found()});
    out.member("nodes", std::uint64_t{result.nodes()});
    out.key("functions");
    out.beginArray();
    for (const FoundInFunction &function : result.functions)
        writeFoundIn(out, function);
    out.endArray();
    writeNotKnown(out, result.notKnown());
    out.key("unnamed");
    out.beginArray();
    for (const std::string &name : result.unnamed())
        out.value(name);
    out.endArray();
    out.endObject();
    return out.take();
}

} // namespace cutaway::report
