// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/record.h"

#include "core/analysis/analysis.h"
#include "core/analysis/counts.h"
#include "core/analysis/known_devices.h"
#include "core/analysis/module_sums.h"
#include "core/analysis/roofline.h"
#include "core/base/digests/sha256.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/text/text.h"
#include "core/lint/lint.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/plugin/importing.h"
#include "core/survey/checks.h"
#include "core/survey/measuring.h"
#include "core/survey/nodes_found.h"
#include "core/survey/opened.h"
#include "core/survey/request.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <sys/resource.h>

namespace cutaway::survey {

namespace {

constexpr std::size_t maxTextLength = 1000; ///< limit of a message or signature, as a survey has many

std::string shortened(const std::string &text)
{
    std::string plain = sanitized(text);
    if (plain.size() <= maxTextLength)
        return plain;
    std::size_t end = maxTextLength;
    while (end > 0 && (static_cast<unsigned char>(plain[end]) & 0xc0) == 0x80) // no character is cut in half
        --end;
    return plain.substr(0, end) + "…";
}

Figure figure(const ir::Dim &dim, const ir::Dim &atLeast)
{
    if (const auto value = ops::number(dim))
        return {value, "", value};
    return {{}, ops::isKnown(dim) ? shortened(ir::print(dim)) : "", ops::number(atLeast)};
}

/// Returns the operators sorted by name. `flopsOf` returns the FLOPs of a node, or nothing.
std::vector<OperatorUse> operatorUses(const ir::Graph &graph, std::int64_t function, const auto &flopsOf)
{
    std::map<ir::OpId, OperatorUse> uses;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        if (node->removed)
            continue;
        OperatorUse &use = uses[node->op];
        if (use.count++ == 0) {
            use.dialect = sanitized(node.dialect());
            use.name = sanitized(node.opName());
            use.overload = sanitized(node.overload());
            use.function = function;
        }
        const std::optional<std::int64_t> flops = flopsOf(node);
        use.flops = use.flops && flops ? std::optional(*use.flops + *flops) : std::nullopt;
    }
    std::vector<OperatorUse> sorted;
    for (auto &[op, use] : uses)
        sorted.push_back(std::move(use));
    std::ranges::sort(sorted, {}, [](const OperatorUse &use) { return std::tie(use.dialect, use.name, use.overload); });
    return sorted;
}

class RecordTaking {
public:
    RecordTaking(const ir::Model &model, const analysis::Analysis &analysis, Record &record)
        : m_model(model),
          m_function(model.at(analysis.function)),
          m_graph(m_function.graph),
          m_analysis(analysis),
          m_record(record)
    {
    }

    void takeAll()
    {
        takeFile();
        takeParts();
        takeOperators();
        takeFindings();
        takeCosts();
    }

    void takeTime(const analysis::Device &device)
    {
        const auto bytes = static_cast<double>(analysis::countTensors(m_model).storageBytes);
        m_record.costs.seconds = analysis::roofline(m_model, m_analysis, device, bytes).seconds;
    }

private:
    std::string text(ir::NameId id) const { return sanitized(m_graph.context().text(id)); }

    void takeFile()
    {
        const analysis::Counts counts = analysis::countTensors(m_model);
        m_record.format = sanitized(m_model.format);
        m_record.formatVersion = sanitized(m_model.formatVersion);
        m_record.producer = sanitized(m_model.producer);
        m_record.producerVersion = sanitized(m_model.producerVersion);
        m_record.parameters = counts.parameters.distinctElements;
        m_record.weightBytes = counts.storageBytes;
        m_record.nodes = analysis::countNodes(m_graph);
        m_record.graph = sha256(ir::printText(m_model, m_analysis.function, ir::TextForm::Reading));
        std::vector<std::string> inputs, outputs;
        for (const ir::FunctionInput &input : m_function.inputs)
            if (input.kind == ir::FunctionInput::Kind::User)
                inputs.push_back(typed(input.name, input.value));
        for (const ir::FunctionOutput &output : m_function.outputs)
            if (output.kind == ir::FunctionOutput::Kind::User)
                outputs.push_back(typed(output.name, output.value));
        m_record.inputs = shortened(joined(inputs, ", "));
        m_record.outputs = shortened(joined(outputs, ", "));
    }

    std::string typed(ir::NameId named, const ir::Operand &operand) const
    {
        const auto value = ir::valueOf(m_graph, &operand);
        return value ? ir::nameOf(*value) + ": " + m_graph.context().print((*value)->type) : text(named);
    }

    void takeParts()
    {
        for (const auto &[domain, version] : m_model.opsets)
            m_record.opsets.push_back({sanitized(domain), version});
        for (const ir::Function &function : m_model.functions)
            m_record.functions.push_back({text(function.name), analysis::countNodes(function.graph)});
        for (const ir::Symbol &symbol : m_model.symbols)
            m_record.symbols.push_back({sanitized(symbol.name), symbol.min, symbol.max});
        const std::vector<std::int64_t> parameters = analysis::parametersPerModule(m_model);
        for (std::uint32_t i = 0; i < m_model.modules.size(); ++i) {
            const ir::Module &module = m_model.at(ir::ModuleId{i});
            m_record.modules.push_back({text(module.path), text(module.className), parameters[i]});
        }
    }

    void takeOperators()
    {
        m_record.operators = operatorUses(
            m_graph, 0, [this](const ir::NodeRef &node) { return ops::number(m_analysis.costOf(node).flops); });
        for (const ir::FunctionId function : lint::mainFunctions(m_model))
            if (function != m_analysis.function)
                std::ranges::move(operatorUses(m_model.at(function).graph, function.index,
                                               [](const ir::NodeRef &) { return std::nullopt; }),
                                  std::back_inserter(m_record.calledOperators));
    }

    void takeFindings()
    {
        std::map<std::tuple<std::string, std::string>, Findings> found;
        const auto add = [&](const ir::Diagnostic &diagnostic) {
            Findings &entry = found[{std::string(ir::name(diagnostic.severity)), diagnostic.code}];
            if (entry.count++ == 0)
                entry = {std::string(ir::name(diagnostic.severity)), sanitized(diagnostic.code),
                         shortened(diagnostic.message), 1};
        };
        std::ranges::for_each(m_model.diagnostics, add);
        std::ranges::for_each(analysis::findings(m_analysis), add);
        for (auto &[key, entry] : found)
            if (m_record.findings.size() < maxFindings)
                m_record.findings.push_back(std::move(entry));
    }

    void takeCosts()
    {
        const analysis::Totals &totals = m_analysis.totals;
        m_record.costs.flops = figure(totals.cost.flops, totals.atLeast.flops);
        m_record.costs.otherFlops = figure(totals.cost.otherFlops, totals.atLeast.otherFlops);
        m_record.costs.peakBytes = figure(totals.peakBytes, totals.peakAtLeast);
        m_record.costs.flopsUnknown = totals.flopsUnknown;
        m_record.costs.shapesUnknown = totals.shapesUnknown;
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const analysis::Analysis &m_analysis;
    Record &m_record;
};

Result<void> look(const std::string &path, const Request &request, const Look &asked, const OpenModel &open,
                  Record &record)
{
    CUTAWAY_TRY(const auto opened, openFor(path, request, open));
    const ir::Model &model = opened.model;
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0}, opened.given);
    RecordTaking taken(model, analysis, record);
    taken.takeAll();
    if (!request.device.empty()) {
        CUTAWAY_TRY(const auto device, analysis::findDevice(request.device));
        taken.takeTime(device);
    }
    for (const std::string &check : asked.checks)
        record.checks.push_back(answer(check, path, opened.request));
    return {};
}

Result<void> take(const std::string &path, const Request &request, const OpenModel &open, Record &record)
{
    return std::visit(Overloaded{[&](const Look &asked) { return look(path, request, asked, open, record); },
                                 [&](const Profile &asked) -> Result<void> {
                                     CUTAWAY_TRY(record.measurement, measured(path, request, asked, open));
                                     record.measurement->message = shortened(record.measurement->message);
                                     return {};
                                 },
                                 [&](const NodeQuery &asked) -> Result<void> {
                                     CUTAWAY_TRY(record.nodesFound, nodesFoundIn(path, request, asked, open));
                                     return {};
                                 }},
                      request.asked);
}

struct StateName {
    State state;
    std::string_view name;
};
struct MeasurementStateName {
    Measurement::State state;
    std::string_view name;
};
constexpr std::array measurementStateNames{MeasurementStateName{Measurement::State::Measured, "measured"},
                                           MeasurementStateName{Measurement::State::Refused, "refused"},
                                           MeasurementStateName{Measurement::State::Absent, "absent"},
                                           MeasurementStateName{Measurement::State::TimedOut, "timed out"},
                                           MeasurementStateName{Measurement::State::Crashed, "crashed"},
                                           MeasurementStateName{Measurement::State::Lost, "lost"}};
constexpr std::array stateNames{StateName{State::Read, "read"}, StateName{State::Unreadable, "unreadable"},
                                StateName{State::Crashed, "crashed"}, StateName{State::TimedOut, "timed out"},
                                StateName{State::OutOfMemory, "out of memory"}};

} // namespace

std::string_view name(State state) { return std::ranges::find(stateNames, state, &StateName::state)->name; }

std::optional<State> stateOf(std::string_view name)
{
    const auto found = std::ranges::find(stateNames, name, &StateName::name);
    return found == stateNames.end() ? std::nullopt : std::optional(found->state);
}

std::string_view name(Measurement::State state)
{
    return std::ranges::find(measurementStateNames, state, &MeasurementStateName::state)->name;
}

std::optional<Measurement::State> measurementStateOf(std::string_view name)
{
    const auto found = std::ranges::find(measurementStateNames, name, &MeasurementStateName::name);
    return found == measurementStateNames.end() ? std::nullopt : std::optional(found->state);
}

bool Measurement::isFinal() const { return state != State::Absent && state != State::Lost; }

std::string Request::name() const
{
    std::vector<std::string> parts = bindings;
    parts.insert(parts.end(), inputs.begin(), inputs.end());
    if (!device.empty())
        parts.push_back("device=" + device);
    return joined(parts, " ");
}

Record surveyed(const std::string &path, const Request &request)
{
    return surveyed(path, request, [](const std::string &file) { return plugin::open(file); });
}

Record surveyed(const std::string &path, const Request &request, const OpenModel &open)
{
    const auto start = std::chrono::steady_clock::now();
    Record record;
    try {
        const Result<void> taken = take(path, request, open, record);
        record.state = taken ? State::Read : State::Unreadable;
        record.message = taken ? "" : shortened(taken.error().text());
    } catch (const std::bad_alloc &) {
        record = Record();
        record.state = State::OutOfMemory;
        record.message = "it needs more memory than the limit";
    }
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    record.memory = std::int64_t{usage.ru_maxrss} * 1024;
    return record;
}

} // namespace cutaway::survey
