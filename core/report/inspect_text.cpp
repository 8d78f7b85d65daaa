// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"

#include "core/analysis/counts.h"
#include "core/analysis/data_sizes.h"
#include "core/analysis/known_tensor.h"
#include "core/analysis/module_sums.h"
#include "core/analysis/recorded_sizes.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/layout/found/found_parts.h"
#include "core/layout/module_rows.h"
#include "core/ops/category.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/print/listings.h"
#include "core/print/text_table.h"
#include "core/report/cells.h"
#include "core/report/timing/roofline_report.h"

#include <algorithm>
#include <map>

namespace cutaway::report {

namespace {

using Align = print::TextTable::Align;

constexpr std::size_t indent = 2;
constexpr std::size_t operatorRows = 15;
constexpr std::size_t moduleRows = 40;
constexpr std::size_t signatureRows = 40;
constexpr std::size_t diagnosticRows = 20;
/// The largest number of nodes in which parts are looked for; `print --as structure` finds them in larger models.
constexpr std::size_t foundNodes = 20000;

std::string more(std::size_t all, std::size_t shown, std::string_view what)
{
    return all > shown ? "  … and " + grouped(static_cast<long long>(all - shown)) + " more " + std::string(what) + "\n"
                       : "";
}

std::string section(std::string_view title, const std::string &body)
{
    return body.empty() ? "" : "\n" + std::string(title) + "\n" + body;
}

class Summary {
public:
    Summary(const ir::Model &model, const analysis::Given &given, ir::FunctionId function, const Additions &additions)
        : m_model(model),
          m_function(model.at(function)),
          m_graph(m_function.graph),
          m_context(*model.context),
          m_sizes(model, given.bindings),
          m_device(additions.device),
          m_analysis(analysis::analyse(model, function, given)),
          m_counts(analysis::countTensors(model))
    {
    }

    std::string print() const
    {
        return head() + section("Inputs", inputs()) + section("Outputs", outputs()) + section("Symbols", symbols())
            + section("Operators", operators()) + section("Modules", modules()) + section("Found in the graph", found())
            + section("Functions", functions()) + section("Other files", print::otherFiles(m_model, indent))
            + roofline() + section("Diagnostics", diagnostics());
    }

private:
    std::string text(ir::NameId id) const { return sanitized(m_context.text(id)); }

    std::string head() const
    {
        print::TextTable table({{}, {.align = Align::Left, .maxWidth = 100}});
        const auto row = [&](const char *what, std::string value) {
            if (!value.empty())
                table.addRow({what, std::move(value)});
        };
        row("model", sanitized(m_model.name));
        row("format", joinedPair(m_model.format, m_model.formatVersion, ", "));
        row("producer", joinedPair(m_model.producer, m_model.producerVersion, " "));
        row("opsets", opsets());
        row("parameters", countText(m_counts.parameters));
        row("buffers", countText(m_counts.buffers));
        row("constants", countText(m_counts.constants));
        row("nodes", grouped(analysis::countNodes(m_graph)));
        row("FLOPs", flops());
        row("activations", activations());
        return sanitized(m_model.path) + "\n" + table.print(indent);
    }

    /// Returns "8.18 GFLOP", or "≥ 4.1 GFLOP, 2 nodes unknown".
    std::string flops() const
    {
        const analysis::Totals &totals = m_analysis.totals;
        const std::string text = print::flopText(totals.cost.flops, totals.atLeast.flops);
        return totals.flopsUnknown == 0 ? text : text + ", " + quantity(totals.flopsUnknown, "node") + " unknown";
    }

    std::string activations() const
    {
        const analysis::Totals &totals = m_analysis.totals;
        return "peak " + print::bytesText(totals.peakBytes, totals.peakAtLeast);
    }

    std::string opsets() const
    {
        std::string line;
        for (const auto &[domain, version] : m_model.opsets)
            line += (line.empty() ? "" : ", ") + sanitized(domain) + " " + std::to_string(version);
        return line;
    }

    static std::string countText(const analysis::TensorCount &count)
    {
        if (count.tensors == 0)
            return {};
        std::string line = grouped(count.distinctElements);
        if (count.distinctElements >= 10000)
            line += " (" + siCount(static_cast<double>(count.distinctElements)) + ")";
        line += " in " + quantity(count.tensors, "tensor") + ", " + byteCount(static_cast<double>(count.distinctBytes));
        if (count.distinctElements < count.elements)
            line += "; " + grouped(count.elements) + " with tied ones by each of their names";
        if (count.storageBytes < count.distinctBytes)
            line += ", stored in " + byteCount(static_cast<double>(count.storageBytes));
        return line;
    }

    /// Returns "float32" and "[1, s0]" for a tensor; for other types the type and "".
    std::pair<std::string, std::string> typeTexts(const ir::ValueRef &value) const
    {
        const auto known = analysis::knownTensor(m_sizes, value.type(), &m_analysis.shapes.atEnd(value));
        if (!known)
            return {sanitized(m_context.print(value->type)), ""};
        return {known->dtype ? std::string(ir::name(*known->dtype)) : "?",
                known->shape ? sanitized(ir::print(*known->shape)) : "?"};
    }

    void addValue(print::TextTable &table, const ir::Operand &operand, ir::NameId named, std::string note) const
    {
        const auto value = ir::valueOf(m_graph, &operand);
        if (!value)
            return table.addRow(
                {text(named), "constant", sanitized(print::constantText(m_model, operand)), std::move(note)});
        auto [dtype, shape] = typeTexts(*value);
        if (m_analysis.shapes.isRecorded[value->id().index])
            note += (note.empty() ? "" : ", ") + std::string("as recorded in the file");
        table.addRow({sanitized(nameOf(*value)), std::move(dtype), std::move(shape), std::move(note)});
    }

    /// Returns the inputs that the user gives, constants included, and the number of weights with defaults; the report
    /// has counted the other inputs further up.
    std::string inputs() const
    {
        print::TextTable table({{}, {}, {}, {}});
        std::size_t count = 0;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (isUsers(input) && ++count <= signatureRows)
                addValue(table, input.value, input.name, ir::hasDefault(input) ? "has a default" : "");
        const auto weights = std::ranges::count_if(m_function.inputs, ir::isOverridable);
        const std::string also = weights > 0 ? formatted("  and {}, which {}\n", quantity(weights, "weight"),
                                                         weights == 1 ? "has a default" : "have defaults")
                                             : "";
        return table.print(indent) + more(count, signatureRows, "inputs") + also;
    }

    static bool isUsers(const ir::FunctionInput &input)
    {
        return input.kind == ir::FunctionInput::Kind::User || input.kind == ir::FunctionInput::Kind::ConstantInput;
    }

    std::string outputs() const
    {
        print::TextTable table({{}, {}, {}, {}});
        std::size_t count = 0;
        for (const ir::FunctionOutput &output : m_function.outputs)
            if (++count <= signatureRows)
                addValue(table, output.value, output.name, role(output));
        return table.print(indent) + more(count, signatureRows, "outputs");
    }

    std::string role(const ir::FunctionOutput &output) const
    {
        if (output.kind == ir::FunctionOutput::Kind::User)
            return output.target == ir::NameId{} ? std::string() : "for the " + text(output.target);
        std::string role(name(output.kind));
        std::ranges::replace(role, '_', ' ');
        return output.target == ir::NameId{} ? role : role + " of " + text(output.target);
    }

    /// Returns a range as "4 to 7".
    static std::string range(std::optional<std::int64_t> min, std::optional<std::int64_t> max)
    {
        return min || max ? (min ? grouped(*min) : "…") + " to " + (max ? grouped(*max) : "…") : "";
    }

    std::string symbols() const
    {
        print::TextTable table({{}, {}, {}, {}, {}});
        for (const ir::Symbol &symbol : m_model.symbols) {
            const auto bound = m_sizes.bindings().find(symbol.name);
            const std::string needed = m_analysis.needed.textOf(symbol);
            table.addRow({sanitized(symbol.name), range(symbol.min, symbol.max),
                          needed.empty() ? "" : "needed: " + needed,
                          symbol.hint ? "exported with " + grouped(*symbol.hint) : "",
                          bound == m_sizes.bindings().end() ? "" : "given as " + grouped(bound->second)});
        }
        for (const auto &[formula, known] : analysis::formulaRanges(m_model))
            table.addRow({sanitized(formula), sanitized(known), "", "", ""});
        for (const analysis::DataSize &size : analysis::dataSizesIn(m_analysis.shapes)) {
            const std::string max = ops::isKnown(size.most) ? sanitized(ir::print(size.most)) : "…";
            table.addRow({size.name, analysis::mayBeNegative(size) ? "" : "0 to " + max, "", "decided by data", ""});
        }
        return table.print(indent);
    }

    std::vector<std::pair<ir::OpId, std::int64_t>> histogram() const
    {
        std::map<ir::OpId, std::int64_t> counts;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            if (const ir::Node &node = m_graph.at(ir::NodeId{i}); !node.removed)
                ++counts[node.op];
        std::vector<std::pair<ir::OpId, std::int64_t>> sorted(counts.begin(), counts.end());
        std::ranges::stable_sort(sorted, std::greater{}, [](const auto &entry) { return entry.second; });
        return sorted;
    }

    std::string operators() const
    {
        print::TextTable table({{.align = Align::Right}, {}, {}});
        const auto all = histogram();
        for (std::size_t i = 0; i < all.size() && i < operatorRows; ++i)
            table.addRow({grouped(all[i].second), sanitized(m_context.print(all[i].first)),
                          std::string(ops::name(ops::categoryOf(m_context, all[i].first)))});
        return table.print(indent) + more(all.size(), operatorRows, "operators");
    }

    /// Returns the modules down to two levels below the root, in the order of the file.
    std::string modules() const
    {
        if (m_model.modules.size() < 2)
            return {};
        print::TextTable table({{}, {}, {.align = Align::Right}});
        const std::vector<std::int64_t> sums = analysis::parametersPerModule(m_model);
        std::size_t count = 0;
        addModule(table, ir::ModuleId{0}, 0, sums, count);
        return table.print(indent) + more(count, moduleRows, "modules");
    }

    void addModule(print::TextTable &table, ir::ModuleId id, std::size_t depth, const std::vector<std::int64_t> &sums,
                   std::size_t &count) const
    {
        const ir::Module &module = m_model.at(id);
        if (++count <= moduleRows) {
            const std::string name = depth == 0 ? "(all)" : text(module.name);
            const std::string className = text(module.className);
            table.addRow({std::string(2 * depth, ' ') + name, className.substr(className.rfind('.') + 1),
                          sums[id.index] == 0 ? "" : siCount(static_cast<double>(sums[id.index]))});
        }
        if (depth < 2)
            for (const ir::ModuleId child : module.children)
                addModule(table, child, depth + 1, sums, count);
    }

    /// Returns the parts found in a graph without modules: name, nodes, parameters, FLOPs. A repetition is one part.
    std::string found() const
    {
        if (m_model.modules.size() > 1)
            return {};
        if (m_graph.nodeCount() > foundNodes)
            return "  not looked for in more than " + grouped(static_cast<long long>(foundNodes))
                + " nodes; 'print --as structure' does\n";
        const layout::Outline outline = layout::outlineOf(m_function, false);
        if (outline.found.empty())
            return {};
        print::TextTable table({{}, {.align = Align::Right}, {.align = Align::Right}, {.align = Align::Right}});
        const auto rows = layout::moduleRows(m_model, m_function, analysis::moduleSums(m_model, m_function), &outline);
        std::size_t count = 0;
        addFound(table, rows, outline, 0, 0, count);
        return table.print(indent) + more(count, moduleRows, "parts");
    }

    void addFound(print::TextTable &table, const std::vector<layout::ModuleRow> &rows, const layout::Outline &outline,
                  std::uint32_t around, std::size_t depth, std::size_t &count) const
    {
        for (const std::uint32_t child : rows[around].children) {
            const layout::ModuleRow &row = rows[child];
            const auto *part = std::get_if<layout::FoundSubject>(&row.subject);
            if (!part)
                continue;
            if (++count <= moduleRows)
                table.addRow({std::string(2 * depth, ' ') + sanitized(row.found.title), quantity(row.nodes, "node"),
                              row.parameters == 0 ? "" : siCount(static_cast<double>(row.parameters)),
                              flopsIn(outline, *part)});
            if (depth < 1 && part->times == 0)
                addFound(table, rows, outline, child, depth + 1, count);
        }
    }

    std::string flopsIn(const layout::Outline &outline, const layout::FoundSubject &part) const
    {
        ops::Cost known, atLeast;
        for (const ir::NodeId node : layout::nodesInPart(outline, part))
            if (m_graph.at(node).parent == part.region) {
                known = ops::plus(known, m_analysis.costOf(node));
                atLeast = ops::plus(atLeast, m_analysis.shapes.boundOf(node));
            }
        return ops::isSame(known.flops, ops::zero) ? "" : print::flopText(known.flops, atLeast.flops);
    }

    std::string functions() const
    {
        if (m_model.functions.size() < 2)
            return {};
        print::TextTable table({{}, {.align = Align::Right}, {}});
        for (std::size_t i = 0; i < m_model.functions.size() && i < moduleRows; ++i)
            table.addRow(
                {text(m_model.functions[i].name), grouped(analysis::countNodes(m_model.functions[i].graph)), "nodes"});
        return table.print(indent) + more(m_model.functions.size(), moduleRows, "functions");
    }

    std::string roofline() const
    {
        if (!m_device)
            return {};
        return section("Roofline on " + sanitized(m_device->name),
                       rooflineText(m_model, m_analysis, *m_device, m_counts.storageBytes));
    }

    /// Returns the diagnostics of the reader about the file, then those of the analysis about nodes, each message once.
    std::string diagnostics() const
    {
        std::vector<std::pair<ir::Diagnostic, std::int64_t>> rows;
        for (const ir::Diagnostic &d : m_model.diagnostics)
            rows.emplace_back(d, 0);
        std::map<std::pair<std::string, std::string>, std::size_t> known;
        for (const ir::Diagnostic &d : analysis::findings(m_analysis)) {
            const auto [entry, isNew] = known.try_emplace({d.code, d.message}, rows.size());
            if (isNew)
                rows.emplace_back(d, 0);
            ++rows[entry->second].second;
        }
        print::TextTable table({{}, {}, {.align = Align::Left, .maxWidth = 80, .isProse = true}, {}});
        for (std::size_t i = 0; i < rows.size() && i < diagnosticRows; ++i) {
            const auto &[d, nodes] = rows[i];
            table.addRow({std::string(name(d.severity)), sanitized(d.code), sanitized(d.message), where(d, nodes)});
        }
        return table.print(indent) + more(rows.size(), diagnosticRows, "diagnostics");
    }

    /// Returns "at conv1", or "at 12 nodes".
    std::string where(const ir::Diagnostic &diagnostic, std::int64_t nodes) const
    {
        if (nodes > 1)
            return "at " + grouped(nodes) + " nodes";
        return nodes == 1 ? "at " + sanitized(nameOf(ir::NodeRef(m_graph, *diagnostic.node))) : "";
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    analysis::RecordedSizes m_sizes;
    const analysis::Device *m_device; ///< the device of the roofline; nullptr: no roofline
    analysis::Analysis m_analysis;
    analysis::Counts m_counts;
};

} // namespace

std::string inspectText(const ir::Model &model, const analysis::Given &given, ir::FunctionId function,
                        const Additions &additions)
{
    return Summary(model, given, function, additions).print();
}

} // namespace cutaway::report
