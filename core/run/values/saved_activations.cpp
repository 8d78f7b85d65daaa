// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/values/saved_activations.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/json/json_reader.h"
#include "core/ir/names.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::run {

namespace {

using ir::Json;
using ir::JsonReader;

constexpr std::string_view runSchema = "cutaway.run/1";

/// The values of a function by their names.
class NamedValues {
public:
    explicit NamedValues(const ir::Graph &graph) : m_graph(graph)
    {
        for (const ir::ValueId input : graph.at(ir::Graph::body).inputs)
            add(ir::ValueRef(graph, input));
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            if (const ir::NodeRef node(graph, id); !node->removed)
                for (const ir::ValueRef output : node.outputs())
                    add(output);
    }

    /// Returns the value of this name that the node makes. If that node makes none, as in a file with other node ids,
    /// returns the only value of the name; nothing if there are several.
    std::optional<ir::ValueId> find(const std::string &name, std::optional<std::int64_t> node) const
    {
        const auto found = m_byName.find(name);
        if (found == m_byName.end())
            return std::nullopt;
        for (const ir::ValueId value : found->second)
            if (const auto producer = ir::ValueRef(m_graph, value).producer();
                producer ? node == std::int64_t{producer->id().index} : !node)
                return value;
        return found->second.size() == 1 ? std::optional(found->second.front()) : std::nullopt;
    }

private:
    void add(const ir::ValueRef &value) { m_byName[ir::nameOf(value)].push_back(value.id()); }

    const ir::Graph &m_graph;
    std::unordered_map<std::string, std::vector<ir::ValueId>> m_byName;
};

/// Reads a figure. JSON has no numbers that are not finite: they are texts there, and null stands for a missing one.
double readFigure(JsonReader &reader, const Json &json, const char *key)
{
    double figure = std::numeric_limits<double>::quiet_NaN();
    reader.member(json, key, [&](const Json &found) {
        if (found.is_number())
            figure = found.get<double>();
        else if (found == "Infinity" || found == "-Infinity")
            figure = (found == "Infinity" ? 1 : -1) * std::numeric_limits<double>::infinity();
        else if (!found.is_null() && found != "NaN")
            reader.fail(found, "a number");
    });
    return figure;
}

tensor::Statistics readStatistics(JsonReader &reader, const Json &json)
{
    tensor::Statistics statistics{.count = reader.natural(json, "count"),
                                  .zeros = reader.natural(json, "zeros"),
                                  .nans = reader.natural(json, "nan"),
                                  .positiveInfinities = reader.natural(json, "inf"),
                                  .negativeInfinities = reader.natural(json, "minus_inf"),
                                  .min = readFigure(reader, json, "min"),
                                  .max = readFigure(reader, json, "max"),
                                  .mean = readFigure(reader, json, "mean")};
    std::uint64_t finite = statistics.count;
    for (const std::uint64_t others : {statistics.nans, statistics.positiveInfinities, statistics.negativeInfinities}) {
        if (others > finite)
            reader.failWith("more numbers are not finite than there are");
        finite -= std::min(others, finite);
    }
    statistics.finite = finite;
    if (const double deviation = readFigure(reader, json, "std"); finite > 0)
        statistics.squares = deviation * deviation * static_cast<double>(finite);
    return statistics;
}

Activation readActivation(JsonReader &reader, const Json &json)
{
    Activation activation;
    const std::string dtype = reader.text(json, "dtype");
    if (const auto known = ir::dtypeFromName(dtype))
        activation.dtype = *known;
    else
        reader.failWith(formatted("'{}' is not a dtype", sanitized(dtype)));
    reader.items(json, "shape", [&](const Json &size) { activation.shape.push_back(reader.integer(size)); });
    activation.statistics = readStatistics(reader, json);
    return activation;
}

} // namespace

Result<Activations> parseActivations(std::string_view text, const ir::Function &function)
{
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return unreadable("the statistics are not JSON, or cut short");
    JsonReader reader;
    Activations read;
    const std::string found = reader.text(json, "schema");
    if (!reader.failed() && found != runSchema)
        reader.failWith(formatted("the statistics are of schema '{}', expected '{}'", sanitized(found), runSchema));
    read.outcome.backend = reader.text(json, "backend");
    read.outcome.seconds = readFigure(reader, json, "seconds");
    const NamedValues values(function.graph);
    reader.items(json, "values", [&](const Json &each) {
        std::optional<std::int64_t> node;
        reader.member(each, "node", [&](const Json &id) {
            if (!id.is_null())
                node = reader.integer(id);
        });
        const std::string name = reader.text(each, "name");
        Activation activation = readActivation(reader, each);
        if (const auto value = values.find(name, node))
            read.values.insert_or_assign(*value, std::move(activation));
    });
    if (reader.failed())
        return std::unexpected(*reader.error());
    return read;
}

} // namespace cutaway::run
