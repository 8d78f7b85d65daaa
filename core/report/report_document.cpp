// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_document.h"

#include "core/analysis/data_sizes.h"
#include "core/analysis/known_tensor.h"
#include "core/analysis/recorded_sizes.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/print/listings.h"
#include "core/report/cells.h"
#include "core/report/cost_sections.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace cutaway::report {

namespace {

using enum Column::Kind;
using Row = std::vector<Cell>;

// ---------------------------------------------------------------- summary

void addFact(Table &table, const char *what, std::string value)
{
    if (!value.empty())
        table.rows.push_back({{what}, {std::move(value)}});
}

Table factTable(const Material &material)
{
    const ir::Model &model = material.subject.model;
    std::string opsets;
    for (const auto &[domain, version] : model.opsets)
        opsets += (opsets.empty() ? "" : ", ") + sanitized(domain) + " " + std::to_string(version);
    Table table{"", {{"of the file"}, {"value", Name}}, {}};
    addFact(table, "file", sanitized(model.path));
    addFact(table, "model", sanitized(model.name));
    addFact(table, "format", joinedPair(model.format, model.formatVersion, ", "));
    addFact(table, "producer", joinedPair(model.producer, model.producerVersion, " "));
    addFact(table, "opsets", opsets);
    addFact(table, "function", sanitized(model.context->text(model.at(material.subject.function).name)));
    return table;
}

Cell exactBytes(std::int64_t bytes) { return {byteCount(static_cast<double>(bytes)), grouped(bytes)}; }

std::string exactNumber(const ir::Dim &dim, const ir::Dim &atLeast)
{
    const bool isNumber = ops::number(ops::isKnown(dim) ? dim : atLeast).has_value();
    const std::string text = isNumber ? print::exactText(dim, atLeast) : "";
    return text == "?" ? "" : text;
}

/// Returns a cell with the formula in full; only the summary has room for that.
Cell wholeFlops(const ir::Dim &dim, const ir::Dim &atLeast)
{
    return {print::flopText(dim, atLeast), exactNumber(dim, atLeast)};
}

Cell wholeBytes(const ir::Dim &dim, const ir::Dim &atLeast)
{
    return {print::bytesText(dim, atLeast), exactNumber(dim, atLeast)};
}

Table figureTable(const Material &material)
{
    const analysis::Counts &counts = material.counts;
    const analysis::Totals &totals = material.analysis.totals;
    Table table{"", {{"figure"}, {"value", Number, "exact"}}, {}};
    table.rows = {{{"nodes"}, {grouped(totals.nodes)}},
                  {{"parameters"}, largeCountCell(counts.parameters.distinctElements)},
                  {{"bytes of parameters"}, exactBytes(counts.parameters.distinctBytes)},
                  {{"buffers"}, largeCountCell(counts.buffers.elements)},
                  {{"bytes of all weights in the file"}, exactBytes(counts.storageBytes)},
                  {{"FLOPs"}, wholeFlops(totals.cost.flops, totals.atLeast.flops)},
                  {{"other operations"}, wholeFlops(totals.cost.otherFlops, totals.atLeast.otherFlops)},
                  {{"bytes read"}, wholeBytes(totals.cost.bytesRead, totals.atLeast.bytesRead)},
                  {{"bytes written"}, wholeBytes(totals.cost.bytesWritten, totals.atLeast.bytesWritten)},
                  {{"peak memory"}, wholeBytes(totals.peakBytes, totals.peakAtLeast)}};
    std::erase_if(table.rows, [](const Row &row) { return row[1].text.empty(); });
    if (totals.costUnknown > 0)
        table.rows.push_back({{"nodes with unknown cost"}, {grouped(totals.costUnknown)}});
    if (totals.shapesUnknown > 0)
        table.rows.push_back({{"values whose shape is not fully known"}, {grouped(totals.shapesUnknown)}});
    if (totals.shapesRecorded > 0)
        table.rows.push_back({{"values known from the file's record alone"}, {grouped(totals.shapesRecorded)}});
    return table;
}

std::vector<Headline> headlines(const Material &material)
{
    const analysis::Totals &totals = material.analysis.totals;
    const auto of = [](const char *what, const Cell &cell) {
        return Headline{what, shortened(cell.text, 24), cell.exact.empty() ? cell.text : cell.exact};
    };
    std::vector<Headline> found{of("parameters",
                                   {siCount(static_cast<double>(material.counts.parameters.distinctElements)),
                                    grouped(material.counts.parameters.distinctElements)}),
                                of("nodes", {grouped(totals.nodes)}),
                                of("FLOPs", wholeFlops(totals.cost.flops, totals.atLeast.flops)),
                                of("peak memory", wholeBytes(totals.peakBytes, totals.peakAtLeast))};
    if (material.estimate) {
        const analysis::Roofline &estimate = *material.estimate;
        const bool isKnown = estimate.unknown == 0 && totals.costUnknown == 0;
        const std::string device = sanitized(material.subject.additions.device->name);
        found.push_back(
            {"time (lower bound) on " + device, (isKnown ? "" : "≥ ") + print::secondsText(estimate.seconds),
             print::secondsText(estimate.seconds)
                 + (isKnown ? "" : " without " + quantity(std::max(estimate.unknown, totals.costUnknown), "node"))});
    }
    return found;
}

Section summary(const Material &material)
{
    Section section{"summary", "Summary"};
    section.tables = {factTable(material), figureTable(material)};
    if (const std::int64_t unknown = material.analysis.totals.flopsUnknown; unknown > 0)
        section.notes.push_back("Total FLOPs are a lower bound: the operations of " + quantity(unknown, "node")
                                + " are not known. See the diagnostics.");
    return section;
}

// ---------------------------------------------------------------- signature

class Signature {
public:
    explicit Signature(const Material &material)
        : m_material(material),
          m_model(material.subject.model),
          m_graph(material.graph()),
          m_sizes(m_model, material.subject.given.bindings)
    {
    }

    Table inputs() const
    {
        Table table = empty("Inputs");
        for (const ir::FunctionInput &input : m_model.at(m_material.subject.function).inputs)
            if (input.kind == ir::FunctionInput::Kind::User || input.kind == ir::FunctionInput::Kind::ConstantInput)
                table.rows.push_back(row(input.value, input.name, ir::hasDefault(input) ? "has a default" : ""));
        return table;
    }

    Table outputs() const
    {
        Table table = empty("Outputs");
        for (const ir::FunctionOutput &output : m_model.at(m_material.subject.function).outputs) {
            const bool isUsers = output.kind == ir::FunctionOutput::Kind::User;
            const std::string role(isUsers ? "" : name(output.kind)), target(text(output.target));
            table.rows.push_back(
                row(output.value, output.name,
                    isUsers && !target.empty() ? "for the " + target : joinedPair(role, target, " of ")));
        }
        return table;
    }

private:
    static Table empty(const char *title)
    {
        Table table{title, {{"name", Name}, {"type"}, {"shape", Name}, {"note"}}, {}};
        table.briefRows = 40;
        return table;
    }

    std::string text(ir::NameId id) const { return sanitized(m_model.context->text(id)); }

    Row row(const ir::Operand &operand, ir::NameId named, std::string note) const
    {
        const auto value = ir::valueOf(m_graph, &operand);
        if (!value)
            return {{text(named)}, {"constant"}, {sanitized(print::constantText(m_model, operand))}, {std::move(note)}};
        const auto known = analysis::knownTensor(m_sizes, value->type(), &m_material.analysis.shapes.atEnd(*value));
        if (m_material.analysis.shapes.isRecorded[value->id().index])
            note += (note.empty() ? "" : ", ") + std::string("as recorded in the file");
        const std::string name = sanitized(nameOf(*value));
        if (!known)
            return {{name}, {sanitized(m_model.context->printBriefly((*value)->type))}, {""}, {std::move(note)}};
        return {{name},
                {known->dtype ? std::string(ir::name(*known->dtype)) : "?"},
                {known->shape ? sanitized(ir::print(*known->shape)) : "?"},
                {std::move(note)}};
    }

    const Material &m_material;
    const ir::Model &m_model;
    const ir::Graph &m_graph;
    analysis::RecordedSizes m_sizes;
};

Section signature(const Material &material)
{
    Section section{"signature", "Signature"};
    const Signature tables(material);
    for (Table table : {tables.inputs(), tables.outputs()})
        if (!table.rows.empty())
            section.tables.push_back(std::move(table));
    return section;
}

Section symbols(const Material &material)
{
    Section section{"symbols", "Symbols"};
    Table table{"",
                {{"symbol", Name},
                 {"from", Number},
                 {"to", Number},
                 {"needed", Number},
                 {"exported with", Number},
                 {"given as", Number}},
                {}};
    const auto text = [](const std::optional<std::int64_t> &n) { return Cell{n ? grouped(*n) : ""}; };
    const symbolic::Bindings &bindings = material.subject.given.bindings;
    for (const ir::Symbol &symbol : material.subject.model.symbols) {
        const auto bound = bindings.find(symbol.name);
        table.rows.push_back({{sanitized(symbol.name)},
                              text(symbol.min),
                              text(symbol.max),
                              {material.analysis.needed.textOf(symbol)},
                              text(symbol.hint),
                              {bound == bindings.end() ? "" : grouped(bound->second)}});
    }
    for (const auto &[formula, range] : analysis::formulaRanges(material.subject.model)) {
        const std::size_t middle = range.find(" to ");
        table.rows.push_back({{sanitized(formula)},
                              {sanitized(range.substr(0, middle))},
                              {middle == range.npos ? "" : sanitized(range.substr(middle + 4))},
                              {""},
                              {""},
                              {""}});
    }
    for (const analysis::DataSize &size : analysis::dataSizesIn(material.analysis.shapes))
        table.rows.push_back({{size.name},
                              {analysis::mayBeNegative(size) ? "" : "0"},
                              {ops::isKnown(size.most) ? sanitized(ir::print(size.most)) : ""},
                              {""},
                              {"decided by data"},
                              {""}});
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

// ---------------------------------------------------------------- diagnostics

/// A diagnostic, and the nodes that have it.
struct Finding {
    std::size_t count = 0;
    std::string first; ///< the name of the first node
};

void addFindings(const Material &material, Table &table)
{
    // Sorted so that severe ones come first.
    std::map<std::tuple<bool, std::string, std::string>, Finding> findings;
    for (const ir::Diagnostic &found : analysis::findings(material.analysis)) {
        Finding &finding = findings[{found.severity == ir::Severity::Info, found.code, sanitized(found.message)}];
        if (finding.count++ == 0)
            finding.first = sanitized(ir::nameOf({material.graph(), *found.node}));
    }
    for (const auto &[what, finding] : findings)
        table.rows.push_back({{std::get<0>(what) ? "info" : "warning"},
                              {std::get<1>(what)},
                              {std::get<2>(what)},
                              {finding.first},
                              {grouped(static_cast<long long>(finding.count))}});
}

bool isAllKnown(const Material &material)
{
    const analysis::Totals &totals = material.analysis.totals;
    return totals.shapesUnknown == 0 && ops::isKnown(totals.cost.flops) && ops::isKnown(totals.cost.otherFlops);
}

Section diagnostics(const Material &material)
{
    Section section{"diagnostics", "Diagnostics"};
    Table table{"", {{"severity"}, {"code", Name}, {"what"}, {"at", Name}, {"nodes", Number}}, {}};
    table.briefRows = 40;
    for (const ir::Diagnostic &found : material.subject.model.diagnostics) {
        const bool isHere = found.node && found.function == material.subject.function;
        table.rows.push_back({{std::string(name(found.severity))},
                              {sanitized(found.code)},
                              {sanitized(found.message)},
                              {isHere ? sanitized(ir::nameOf({material.graph(), *found.node})) : ""},
                              {""}});
    }
    if (material.counts.overflows())
        table.rows.push_back(
            {{"warning"}, {"counts.overflow"}, {"the tensors are too large to be summed"}, {""}, {""}});
    addFindings(material, table);
    if (table.rows.empty())
        section.notes.emplace_back(isAllKnown(material) ? "None: every shape and cost is known." : "None.");
    else
        section.tables.push_back(std::move(table));
    return section;
}

} // namespace

Document reportDocument(const Material &material)
{
    const ir::Model &model = material.subject.model;
    Document document;
    document.title = sanitized(std::filesystem::path(model.path).filename().string());
    document.subtitle = joinedPair(model.format, joinedPair(model.producer, model.producerVersion, " "), ", made by ");
    document.headlines = headlines(material);
    document.sections = {summary(material), signature(material), symbols(material)};
    for (Section section :
         {moduleSection(material), topSection(material), operatorSection(material), memorySection(material)})
        document.sections.push_back(std::move(section));
    if (material.estimate)
        document.sections.push_back(rooflineSection(material));
    if (material.subject.additions.sweep)
        document.sections.push_back(sweepSection(material));
    document.sections.push_back(diagnostics(material));
    document.sections.push_back(nodeSection(material));
    std::erase_if(document.sections, [](const Section &section) {
        return section.notes.empty() && section.plots.empty() && section.tables.empty();
    });
    return document;
}

} // namespace cutaway::report
