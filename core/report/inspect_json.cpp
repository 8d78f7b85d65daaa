// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"

#include "core/analysis/analysis.h"
#include "core/analysis/bounded_cost.h"
#include "core/analysis/counts.h"
#include "core/analysis/data_sizes.h"
#include "core/analysis/known_tensor.h"
#include "core/analysis/recorded_sizes.h"
#include "core/base/json_writer.h"
#include "core/ir/names.h"
#include "core/print/dim_json.h"
#include "core/print/weights_by_region.h"
#include "core/report/operand_json.h"
#include "core/report/timing/roofline_report.h"
#include "core/report/timing/sweep_report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cutaway::report {

namespace {

void writeShape(JsonWriter &out, std::string_view key, const std::optional<ir::Shape> &shape)
{
    out.key(key);
    if (!shape)
        return out.null();
    out.beginArray();
    for (const ir::Dim &dim : *shape)
        print::writeDim(out, dim);
    out.endArray();
}

void writeOptional(JsonWriter &out, std::string_view key, const std::optional<std::int64_t> &n)
{
    out.key(key);
    n ? out.value(*n) : out.null();
}

void writeText(JsonWriter &out, std::string_view key, std::string_view text)
{
    out.key(key);
    text.empty() ? out.null() : out.value(text);
}

void writeNulls(JsonWriter &out, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys) {
        out.key(key);
        out.null();
    }
}

void writeCost(JsonWriter &out, const ops::Cost &cost)
{
    for (const auto &[key, dim] : {std::pair<const char *, const ir::Dim &>{"flops", cost.flops},
                                   {"other_flops", cost.otherFlops},
                                   {"bytes_read", cost.bytesRead},
                                   {"bytes_written", cost.bytesWritten}}) {
        out.key(key);
        print::writeDim(out, dim);
    }
}

/// Writes one function: its signature, nodes and values, with nested regions.
class FunctionWriter {
public:
    FunctionWriter(JsonWriter &out, const ir::Model &model, const ir::Function &function,
                   const analysis::RecordedSizes &sizes, const analysis::Analysis *analysis)
        : m_out(out),
          m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_sizes(sizes),
          m_analysis(analysis),
          m_weights(function)
    {
    }

    void write()
    {
        m_out.beginObject();
        m_out.member("name", text(m_function.name));
        m_out.key("inputs");
        m_out.beginArray();
        for (const ir::FunctionInput &input : m_function.inputs)
            writeInput(input);
        writeWeights(ir::Graph::body);
        m_out.endArray();
        m_out.key("outputs");
        m_out.beginArray();
        for (const ir::FunctionOutput &output : m_function.outputs)
            writeOutput(output.value, name(output.kind), output.name, output.target);
        m_out.endArray();
        writeContents(ir::Graph::body);
        m_out.endObject();
    }

private:
    std::string_view text(ir::NameId id) const { return m_graph.context().text(id); }

    void writeInput(const ir::FunctionInput &input)
    {
        m_out.beginObject();
        const auto value = ir::valueOf(m_graph, &input.value);
        m_out.member("name", value ? nameOf(*value) : std::string(text(input.name)));
        m_out.member("kind", name(input.kind));
        value ? writeType(*value) : writeConstant(input.value);
        if (input.defaultValue) {
            m_out.key("default");
            writeOperand(m_out, m_model, m_graph, *input.defaultValue);
        }
        if (input.target != ir::NameId{})
            m_out.member("target", text(input.target));
        m_out.endObject();
    }

    void writeWeights(ir::RegionId region)
    {
        for (const ir::ValueId id : m_weights.of(region)) {
            const ir::ValueRef value(m_graph, id);
            m_out.beginObject();
            m_out.member("name", nameOf(value));
            m_out.member("kind", name(m_model.at(*value.weight()).kind));
            writeType(value);
            m_out.endObject();
        }
    }

    void writeOutput(const ir::Operand &operand, std::string_view kind, ir::NameId named, ir::NameId target)
    {
        m_out.beginObject();
        const auto value = ir::valueOf(m_graph, &operand);
        m_out.member("name", value ? nameOf(*value) : std::string(text(named)));
        m_out.member("kind", kind);
        value ? writeTypeAtEnd(*value) : writeConstant(operand);
        if (target != ir::NameId{})
            m_out.member("target", text(target));
        m_out.endObject();
    }

    void writeType(const ir::ValueRef &value)
    {
        writeType(value, m_analysis ? &m_analysis->shapes.of(value) : nullptr);
    }

    /// Writes the type that a value has after all writes in place to it.
    void writeTypeAtEnd(const ir::ValueRef &value)
    {
        writeType(value, m_analysis ? &m_analysis->shapes.atEnd(value) : nullptr);
    }

    void writeType(const ir::ValueRef &value, const ops::Fact *fact)
    {
        const ir::Type &type = value.type();
        const auto known = analysis::knownTensor(m_sizes, type, fact);
        m_out.member("type", known ? "tensor" : kindOf(type));
        m_out.key("dtype");
        known && known->dtype ? m_out.value(ir::name(*known->dtype)) : m_out.null();
        writeShape(m_out, "shape", known ? known->shape : std::nullopt);
        if (const auto *number = std::get_if<ir::NumberType>(&type); number && number->value) {
            m_out.key("value");
            print::writeDim(m_out, m_sizes.of(ir::Dim(*number->value)));
        }
    }

    void writeConstant(const ir::Operand &operand)
    {
        writeNulls(m_out, {"dtype", "shape"});
        m_out.key("value");
        writeOperand(m_out, m_model, m_graph, operand);
    }

    void writeRegion(ir::RegionId id)
    {
        const ir::Region &region = m_graph.at(id);
        m_out.beginObject();
        m_out.member("name", text(region.name));
        m_out.key("inputs");
        m_out.beginArray();
        for (const ir::ValueId input : region.inputs) {
            m_out.beginObject();
            m_out.member("name", ir::nameOf({m_graph, input}));
            m_out.member("kind", "user_input");
            writeType({m_graph, input});
            m_out.endObject();
        }
        writeWeights(id);
        m_out.endArray();
        m_out.key("outputs");
        m_out.beginArray();
        for (const ir::Operand &output : region.outputs)
            writeOutput(output, "user_output", {}, {});
        m_out.endArray();
        writeContents(id);
        m_out.endObject();
    }

    void writeContents(ir::RegionId id)
    {
        m_out.key("nodes");
        m_out.beginArray();
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            writeNode(node);
        m_out.endArray();
        m_out.key("values");
        m_out.beginArray();
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            for (const ir::ValueRef output : node.outputs())
                writeValue(output);
        m_out.endArray();
    }

    void writeNode(const ir::NodeRef &node)
    {
        m_out.beginObject();
        m_out.member("id", node.id().index);
        m_out.member("name", nameOf(node));
        m_out.member("op", node.fullName());
        m_out.member("scope", text(node.scope().path));
        writeValueNames(node);
        writeArguments(node);
        writeCost(node);
        writeText(m_out, "source", sourceOf(node).value_or(""));
        m_out.key("regions");
        m_out.beginArray();
        for (const ir::RegionId region : node->regions)
            writeRegion(region);
        m_out.endArray();
        m_out.endObject();
    }

    void writeCost(ir::NodeId id)
    {
        if (!m_analysis)
            return writeNulls(m_out, {"flops", "other_flops", "bytes_read", "bytes_written"});
        cutaway::report::writeCost(m_out, m_analysis->costOf(id));
    }

    void writeValueNames(const ir::NodeRef &node)
    {
        m_out.key("inputs");
        m_out.beginArray();
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ir::ValueId value) { m_out.value(ir::nameOf({m_graph, value})); });
        m_out.endArray();
        m_out.key("outputs");
        m_out.beginArray();
        for (const ir::ValueRef output : node.outputs())
            m_out.value(nameOf(output));
        m_out.endArray();
    }

    void writeArguments(const ir::NodeRef &node)
    {
        m_out.key("arguments");
        m_out.beginArray();
        for (const ir::Argument &argument : node->arguments) {
            m_out.beginObject();
            m_out.member("name", text(argument.name));
            m_out.key("value");
            writeOperand(m_out, m_model, m_graph, argument.value);
            m_out.endObject();
        }
        m_out.endArray();
    }

    void writeValue(const ir::ValueRef &value)
    {
        m_out.beginObject();
        m_out.member("name", nameOf(value));
        writeType(value);
        const ir::TensorType *recorded = value.tensorType();
        m_out.key("recorded_dtype");
        recorded && recorded->dtype ? m_out.value(ir::name(*recorded->dtype)) : m_out.null();
        writeShape(m_out, "recorded_shape", recorded ? recorded->shape : std::nullopt);
        if (m_analysis && m_analysis->shapes.isRecorded[value.id().index])
            m_out.member("from_record", true);
        m_out.endObject();
    }

    JsonWriter &m_out;
    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const analysis::RecordedSizes &m_sizes;
    const analysis::Analysis *m_analysis; ///< nullptr if nothing is derived for this function
    print::WeightsByRegion m_weights;
};

class ReportWriter {
public:
    ReportWriter(const ir::Model &model, const analysis::Given &given, std::optional<ir::FunctionId> function,
                 const Additions &additions, const Task &task)
        : m_model(model),
          m_sizes(model, given.bindings),
          m_function(function),
          m_additions(additions),
          m_counts(analysis::countTensors(model))
    {
        if (!model.functions.empty())
            m_analysis = analysis::analyse(model, analysed(), given, task);
    }

    std::string write()
    {
        m_out.beginObject();
        m_out.member("schema", "cutaway.report/1");
        writeModel();
        writeSymbols();
        writeDataSizes();
        writeCount("parameters", named(m_counts.parameters));
        if (m_counts.packed.tensors > 0)
            writeCount("packed", m_counts.packed);
        writeCount("buffers", m_counts.buffers);
        writeCount("constants", m_counts.constants);
        writeFunctions();
        writeTotals();
        writeAdditions();
        writeDiagnostics();
        m_out.endObject();
        return m_out.take();
    }

private:
    ir::FunctionId analysed() const { return m_function.value_or(ir::FunctionId{}); }

    void writeModel()
    {
        m_out.key("model");
        m_out.beginObject();
        m_out.member("path", m_model.path);
        m_out.member("format", m_model.format);
        writeText(m_out, "format_version", m_model.formatVersion);
        writeText(m_out, "producer", m_model.producer);
        writeText(m_out, "producer_version", m_model.producerVersion);
        writeText(m_out, "name", m_model.name);
        writeText(m_out, "documentation", m_model.documentation);
        m_out.key("opsets");
        m_out.beginArray();
        for (const auto &[domain, version] : m_model.opsets)
            writePair("domain", domain, "version", version);
        m_out.endArray();
        m_out.key("metadata");
        m_out.beginArray();
        for (const auto &[key, value] : m_model.metadata)
            writePair("key", key, "value", value);
        m_out.endArray();
        m_out.endObject();
    }

    template <class Value>
    void writePair(std::string_view firstKey, const std::string &first, std::string_view secondKey, const Value &second)
    {
        m_out.beginObject();
        m_out.member(firstKey, first);
        m_out.member(secondKey, second);
        m_out.endObject();
    }

    void writeSymbols()
    {
        m_out.key("symbols");
        m_out.beginArray();
        for (const ir::Symbol &symbol : m_model.symbols) {
            m_out.beginObject();
            m_out.member("name", symbol.name);
            writeOptional(m_out, "min", symbol.min);
            writeOptional(m_out, "max", symbol.max);
            writeOptional(m_out, "hint", symbol.hint);
            if (const auto bound = m_sizes.bindings().find(symbol.name); bound != m_sizes.bindings().end())
                m_out.member("bound", bound->second);
            if (const std::string needed = m_analysis.needed.textOf(symbol); !needed.empty())
                writeNeeded(m_analysis.needed.rangeOf(symbol.name));
            m_out.endObject();
        }
        m_out.endArray();
        m_out.key("formula_ranges");
        m_out.beginArray();
        for (const auto &[formula, range] : analysis::formulaRanges(m_model)) {
            m_out.beginObject();
            m_out.member("formula", formula);
            m_out.member("range", range);
            m_out.endObject();
        }
        m_out.endArray();
    }

    /// Writes the sizes of a symbol with which the nodes can run. This is called only if the file allows more sizes.
    void writeNeeded(const symbolic::Range &range)
    {
        m_out.key("needed");
        m_out.beginObject();
        m_out.member("min", range.min);
        writeOptional(m_out, "max",
                      range.max == symbolic::Range().max ? std::nullopt : std::optional<std::int64_t>(range.max));
        m_out.endObject();
    }

    /// Writes the sizes that depend on data, for which the file has no names.
    void writeDataSizes()
    {
        m_out.key("data_sizes");
        m_out.beginArray();
        for (const analysis::DataSize &size : analysis::dataSizesIn(m_analysis.shapes)) {
            m_out.beginObject();
            m_out.member("name", size.name);
            writeOptional(m_out, "min", mayBeNegative(size) ? std::nullopt : std::optional<std::int64_t>(0));
            m_out.key("max");
            print::writeDim(m_out, size.most);
            m_out.endObject();
        }
        m_out.endArray();
    }

    /// Returns `count` without packed parameters, which are counted separately. The parameters that remain are those of
    /// torch's named_parameters(): a name leads to each of them.
    analysis::TensorCount named(analysis::TensorCount count) const
    {
        count.elements -= m_counts.packed.elements;
        count.tensors -= m_counts.packed.tensors;
        count.bytes -= m_counts.packed.bytes;
        count.storageBytes -= m_counts.packed.storageBytes;
        count.distinctElements -= m_counts.packed.distinctElements;
        count.distinctBytes -= m_counts.packed.distinctBytes;
        return count;
    }

    void writeCount(std::string_view key, const analysis::TensorCount &count)
    {
        m_out.key(key);
        m_out.beginObject();
        m_out.member("count", count.elements);
        m_out.member("tensors", count.tensors);
        m_out.member("bytes", count.bytes);
        m_out.member("storage_bytes", count.storageBytes);
        if (count.distinctElements < count.elements) {
            m_out.member("distinct_count", count.distinctElements);
            m_out.member("distinct_bytes", count.distinctBytes);
        }
        m_out.endObject();
    }

    void writeFunctions()
    {
        m_out.key("functions");
        m_out.beginArray();
        for (std::uint32_t i = 0; i < m_model.functions.size(); ++i)
            if (!m_function || m_function->index == i)
                FunctionWriter(m_out, m_model, m_model.functions[i], m_sizes,
                               i == analysed().index ? &m_analysis : nullptr)
                    .write();
        m_out.endArray();
    }

    /// Writes the totals of the main function, or of the requested one.
    void writeTotals()
    {
        const analysis::Totals &totals = m_analysis.totals;
        m_out.key("totals");
        m_out.beginObject();
        m_out.member("nodes", totals.nodes);
        writeCost(m_out, totals.cost);
        m_out.member("unknown_flops_nodes", totals.flopsUnknown);
        m_out.member("unknown_cost_nodes", totals.costUnknown);
        m_out.member("unknown_shape_values", totals.shapesUnknown);
        m_out.member("recorded_shape_values", totals.shapesRecorded);
        m_out.member("parameter_bytes", m_counts.parameters.bytes);
        m_out.member("storage_bytes", m_counts.storageBytes);
        m_out.key("peak_activation_bytes");
        print::writeDim(m_out, totals.peakBytes);
        writeBounds(totals);
        writePeak();
        m_out.endObject();
    }

    /// Writes lower bounds of the figures that are not known.
    void writeBounds(const analysis::Totals &totals)
    {
        if (analysis::isKnownCost(totals.cost) && ops::isKnown(totals.peakBytes))
            return;
        m_out.key("at_least");
        m_out.beginObject();
        for (const auto &[key, dim, atLeast] :
             {std::tuple<const char *, const ir::Dim &, const ir::Dim &>{"flops", totals.cost.flops,
                                                                         totals.atLeast.flops},
              {"other_flops", totals.cost.otherFlops, totals.atLeast.otherFlops},
              {"bytes_read", totals.cost.bytesRead, totals.atLeast.bytesRead},
              {"bytes_written", totals.cost.bytesWritten, totals.atLeast.bytesWritten},
              {"peak_activation_bytes", totals.peakBytes, totals.peakAtLeast}})
            if (!ops::isKnown(dim)) {
                m_out.key(key);
                print::writeDim(m_out, atLeast);
            }
        m_out.endObject();
    }

    /// Writes the node at the memory peak, and the live storages there, largest first.
    void writePeak()
    {
        const analysis::Memory &memory = m_analysis.memory;
        m_out.key("peak");
        if (!memory.peakStep || m_model.functions.empty())
            return m_out.null();
        const ir::Graph &graph = m_model.at(analysed()).graph;
        const auto &nodes = graph.at(ir::Graph::body).nodes;
        m_out.beginObject();
        m_out.key("node");
        const bool isNode = *memory.peakStep > 0 && *memory.peakStep <= nodes.size();
        isNode ? m_out.value(nodes[*memory.peakStep - 1].index) : m_out.null();
        m_out.key("alive");
        m_out.beginArray();
        for (const analysis::LiveStorage *storage : memory.aliveAt(*memory.peakStep)) {
            m_out.beginObject();
            m_out.member("value", ir::nameOf({graph, storage->value}));
            m_out.key("bytes");
            print::writeDim(m_out, storage->bytes);
            m_out.endObject();
        }
        m_out.endArray();
        m_out.endObject();
    }

    void writeAdditions()
    {
        if (m_additions.device && !m_model.functions.empty()) {
            m_out.key("roofline");
            writeRoofline(m_out, m_model, m_analysis, *m_additions.device, m_counts.storageBytes);
        }
        if (m_additions.sweep) {
            m_out.key("sweep");
            writeSweep(m_out, *m_additions.sweep, m_additions.device);
        }
    }

    void writeDiagnostics()
    {
        m_out.key("diagnostics");
        m_out.beginArray();
        writeFindings();
        if (m_counts.overflows())
            writeDiagnostic(ir::Severity::Warning, "counts.overflow", "the tensors are too large to be summed");
        for (const ir::Diagnostic &diagnostic : m_model.diagnostics)
            write(diagnostic);
        m_out.endArray();
    }

    /// Writes the findings. Repeated ones are limited, since a graph may have the same finding at many nodes.
    void writeFindings()
    {
        constexpr std::size_t shown = 20;
        std::map<std::string, std::size_t> counts;
        for (const ir::Diagnostic &found : analysis::findings(m_analysis))
            if (++counts[found.code] <= shown)
                write(found);
        for (const auto &[code, count] : counts)
            if (count > shown)
                writeDiagnostic(ir::Severity::Info, code, "and " + std::to_string(count - shown) + " more");
    }

    void write(const ir::Diagnostic &diagnostic)
    {
        writeDiagnostic(diagnostic.severity, diagnostic.code, diagnostic.message, diagnostic.function, diagnostic.node);
    }

    void writeDiagnostic(ir::Severity severity, std::string_view code, std::string_view message,
                         std::optional<ir::FunctionId> function = {}, std::optional<ir::NodeId> node = {})
    {
        m_out.beginObject();
        m_out.member("severity", name(severity));
        m_out.member("code", code);
        m_out.member("message", message);
        if (function)
            m_out.member("function", m_model.context->text(m_model.at(*function).name));
        if (node)
            m_out.member("node", node->index);
        m_out.endObject();
    }

    const ir::Model &m_model;
    analysis::RecordedSizes m_sizes;
    std::optional<ir::FunctionId> m_function;
    Additions m_additions;
    analysis::Analysis m_analysis;
    analysis::Counts m_counts;
    JsonWriter m_out;
};

} // namespace

std::string inspectJson(const ir::Model &model, const analysis::Given &given, std::optional<ir::FunctionId> function,
                        const Additions &additions, const Task &task)
{
    return ReportWriter(model, given, function, additions, task).write();
}

} // namespace cutaway::report
