// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request.h"
#include "app/cli/survey/query_survey.h"
#include "core/analysis/counts.h"
#include "core/base/result.h"
#include "core/diff/diff.h"
#include "core/layout/found/found_parts.h"
#include "core/lint/lint.h"
#include "core/print/text_table.h"
#include "core/report/query/query_report.h"
#include "core/survey/own_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <thread>

namespace cutaway::cli {

namespace {

struct QueryOptions {
    RequestArguments arguments;
    std::string text;
    std::string versus;
    std::string data;
    std::string survey;
    unsigned workers = std::max(1U, std::thread::hardware_concurrency());
    double limit = 60; ///< the time limit in seconds for each file of a survey
    bool json = false;
    bool csv = false;
    bool count = false;
    bool list = false;
};

std::string propertyList(query::Subject subject)
{
    print::TextTable table({{}, {.maxWidth = 100}});
    table.addRow({"property", "asks for"});
    for (const query::PropertyRow &row : query::properties(subject))
        table.addRow({query::spelling(row), std::string(row.means)});
    if (subject == query::Subject::Model)
        table.addRow(
            {"has(…)", "whether one of its nodes is so; of op: and whatever else only nodes have, it goes without"});
    return table.print(0);
}

/// Returns an error text if the query uses a property for which an option is missing, else nothing.
std::optional<std::string> missingOption(const query::Expression &query, const QueryOptions &options)
{
    if (query::uses(query, query::Property::Time) && options.arguments.device.empty())
        return "'time' needs --device, see 'cutaway-cli devices'";
    if (query::uses(query, query::Property::Changed) && options.versus.empty())
        return options.survey.empty() ? "'changed' needs --versus FILE"
                                      : "'changed' is known of one model, with --versus";
    if (query::uses(query, query::Property::Data) && options.data.empty())
        return options.survey.empty() ? "'data' needs --data TABLE" : "'data' is known of one model, with --data";
    if (query::uses(query, query::Property::Measured))
        return "'measured' is known in the window alone, after a profile";
    return {};
}

/// Returns by NodeId which nodes of the second side have no equal counterpart.
std::vector<bool> changedNodes(const diff::Side &before, const diff::Side &after)
{
    std::vector<bool> isChanged(after.graph().nodeCount());
    const diff::Difference difference = diff::compare(before, after);
    for (const ir::NodeId node : difference.onlyB)
        isChanged[node.index] = true;
    for (const diff::Region &region : difference.regions)
        for (const ir::NodeId node : region.b.nodes)
            isChanged[node.index] = true;
    for (const diff::Pair &pair : difference.pairs)
        if (!pair.changes.empty())
            isChanged[pair.b.index] = true;
    return isChanged;
}

/// Answers a query for the functions of a model, one after another.
class Inquiry {
public:
    Inquiry(const Request &request, const query::Expression &query, const Opened *versus, const node_data::Table *table)
        : m_request(request),
          m_model(request.opened.model),
          m_query(query),
          m_versus(versus),
          m_table(table)
    {
    }

    report::FoundInFunction askedOf(ir::FunctionId function) const
    {
        const bool isGiven = function == m_request.opened.function;
        const analysis::Analysis analysis =
            analysis::analyse(m_model, function, isGiven ? m_request.given : analysis::Given());
        std::optional<analysis::Roofline> roofline;
        if (m_request.device)
            roofline = analysis::roofline(m_model, analysis, *m_request.device,
                                          static_cast<double>(analysis::countTensors(m_model).storageBytes));
        const std::vector<ir::Diagnostic> diagnostics = diagnosticsOf(analysis);
        const auto isChanged = changesOf(analysis);
        std::optional<node_data::NodeData> data;
        if (m_table)
            data = node_data::dataOf(m_model.at(function), *m_table);
        const query::Known known{
            .model = m_model,
            .analysis = analysis,
            .roofline = roofline ? &*roofline : nullptr,
            .diagnostics = diagnostics,
            .data = data ? &*data : nullptr,
            .isChanged = isChanged,
            .nodesInPart = [&](const query::Pattern &name) { return nodesInParts(function, name); }};
        return report::foundIn(known, query::answerTo(m_query, known));
    }

private:
    std::vector<ir::NodeId> nodesInParts(ir::FunctionId id, const query::Pattern &name) const
    {
        const ir::Function &function = m_model.at(id);
        return layout::nodesInParts(layout::withNamedParts(layout::outlineOf(function, false), function), name);
    }

    std::vector<ir::Diagnostic> diagnosticsOf(const analysis::Analysis &analysis) const
    {
        if (!query::uses(m_query, query::Property::Diagnostic))
            return {};
        std::vector<ir::Diagnostic> all = m_model.diagnostics;
        std::ranges::move(analysis::findings(analysis), std::back_inserter(all));
        std::ranges::move(lint::diagnostics(m_model, analysis, lint::Origin::File), std::back_inserter(all));
        return all;
    }

    std::function<bool(ir::NodeId)> changesOf(const analysis::Analysis &analysis) const
    {
        const auto other = counterpartOf(analysis.function);
        if (!other || !query::uses(m_query, query::Property::Changed))
            return {};
        const analysis::Analysis before = analysis::analyse(m_versus->model, *other, analysis.given);
        return [isChanged = changedNodes({m_versus->model, before}, {m_model, analysis})](ir::NodeId node) {
            return isChanged[node.index];
        };
    }

    /// Returns the function of the other model that corresponds to `function`: the chosen function for the chosen one,
    /// otherwise that of the same name; nothing if there is none.
    std::optional<ir::FunctionId> counterpartOf(ir::FunctionId function) const
    {
        if (!m_versus)
            return {};
        if (function == m_request.opened.function)
            return m_versus->function;
        const std::string_view name = m_model.context->text(m_model.at(function).name);
        for (std::uint32_t i = 0; i < m_versus->model.functions.size(); ++i)
            if (m_versus->model.context->text(m_versus->model.functions[i].name) == name)
                return ir::FunctionId{i};
        return {};
    }

    const Request &m_request;
    const ir::Model &m_model;
    const query::Expression &m_query;
    const Opened *m_versus;
    const node_data::Table *m_table; ///< the user's node data; nullptr if there is none
};

std::string textOf(const QueryOptions &options, const report::QueryResult &result)
{
    if (options.count)
        return std::to_string(result.found()) + "\n";
    if (options.csv)
        return report::queryCsv(result);
    return options.json ? report::queryJson(result) + "\n" : report::queryText(result);
}

void tellMissingRows(const ir::Model &model, const std::vector<ir::FunctionId> &functions,
                     const node_data::Table &table)
{
    std::vector<node_data::NodeData> found;
    for (const ir::FunctionId function : functions)
        found.push_back(node_data::dataOf(model.at(function), table));
    if (const std::string remark = node_data::remarkOn(found); !remark.empty())
        std::fprintf(stderr, "cutaway: note: the node data: %s\n", remark.c_str());
}

Result<Answer> answer(const std::string &file, const QueryOptions &options, const query::Expression &query)
{
    std::optional<Opened> versus;
    if (!options.versus.empty()) {
        CUTAWAY_TRY(versus, openModel(options.versus, options.arguments.function));
    }
    CUTAWAY_TRY(const Request request, readRequest(file, options.arguments));
    const ir::Model &model = request.opened.model;
    auto functions = lint::mainFunctions(model);
    if (request.function)
        functions = {*request.function};
    report::QueryResult result{model, options.text, query, {}};
    std::optional<node_data::Table> table;
    if (!options.data.empty()) {
        CUTAWAY_TRY(table, node_data::readTable(options.data));
    }
    const Inquiry inquiry(request, query, versus ? &*versus : nullptr, table ? &*table : nullptr);
    for (const ir::FunctionId function : functions)
        result.functions.push_back(inquiry.askedOf(function));
    if (table)
        tellMissingRows(model, functions, *table);
    return Answer(textOf(options, result), result.found() == 0);
}

Result<Answer> askModels(const QueryOptions &options, query::Expression query)
{
    const survey::Inquiry inquiry{options.text, std::move(query),
                                  survey::Request{.bindings = options.arguments.bindings,
                                                  .inputs = options.arguments.inputs,
                                                  .device = options.arguments.device}};
    const survey::Workers workers{.command = {survey::ownProgram(), "survey", "--worker"},
                                  .count = options.workers,
                                  .limit = std::chrono::milliseconds(static_cast<std::int64_t>(options.limit * 1000))};
    const QueryForm form = options.json ? QueryForm::Json
        : options.csv                   ? QueryForm::Csv
        : options.count                 ? QueryForm::Count
                                        : QueryForm::Text;
    return askSurvey(options.survey, inquiry, workers, form);
}

/// Makes the first positional argument the query if --in names a survey, which becomes `file`.
void takeSurvey(std::string &file, QueryOptions &options)
{
    if (options.survey.empty())
        return;
    if (options.text.empty())
        options.text = file;
    file = options.survey;
}

Result<Answer> ask(std::string &file, QueryOptions &options)
{
    const query::Subject subject = options.survey.empty() ? query::Subject::Node : query::Subject::Model;
    if (options.list)
        return Answer(propertyList(subject));
    takeSurvey(file, options);
    if (file.empty() || options.text.empty())
        return usageError(file.empty() ? "FILE is required" : "QUERY is required");
    const auto query = query::parse(options.text, subject);
    if (!query) {
        Answer wrong("the query: " + query::printMistake(options.text, query.error()));
        wrong.wrongPlace = query::markedText(options.text, query.error());
        return wrong;
    }
    if (const auto missing = missingOption(*query, options))
        return usageError(*missing);
    return options.survey.empty() ? answer(file, options, *query) : askModels(options, *query);
}

void declareSurveyOptions(CLI::App &command, QueryOptions &options, CLI::Option *versus)
{
    CLI::Option *survey = command
                              .add_option("--in", options.survey,
                                          "Ask each model of this survey, in place of FILE; what the survey does not "
                                          "know, its file answers")
                              ->type_name("SURVEY")
                              ->excludes(versus)
                              ->excludes(command.get_option("--function"));
    command
        .add_option("--jobs", options.workers, "Number of files that are read at a time (default: one per processor)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->needs(survey);
    command.add_option("--timeout", options.limit, "Stop at a file of the survey that takes longer")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS")
        ->capture_default_str()
        ->needs(survey);
}

void declareFormats(CLI::App &command, QueryOptions &options)
{
    auto *json = command.add_flag("--json", options.json, "Write the nodes as JSON (schema cutaway.query/1)");
    auto *csv = command.add_flag("--csv", options.csv, "Write the nodes as CSV, a row each")->excludes(json);
    command.add_flag("--count", options.count, "Print only how many nodes there are")->excludes(json)->excludes(csv);
    command.add_flag("--list", options.list,
                     "List the properties that a query can ask for; docs/query.md explains them");
}

} // namespace

Action declareQuery(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<QueryOptions>();
    RequestArguments &arguments = options->arguments;
    command.add_option("FILE", file, "The model file")->type_name("");
    command.add_option("QUERY", options->text, "What is asked of each node: 'op:conv* and flops>1G'")->type_name("");
    command.add_option("--bind", arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, arguments.inputs);
    command
        .add_option("--function", arguments.function,
                    "Look at this function instead of the main ones and those that they call")
        ->type_name("NAME");
    command.add_option("--device", arguments.device, "The processor that 'time' is of, see 'cutaway-cli devices'")
        ->type_name("ID");
    CLI::Option *versus =
        command.add_option("--versus", options->versus, "The model that 'changed' compares this one with")
            ->type_name("FILE");
    command
        .add_option("--data", options->data,
                    "A table of yours, CSV or JSON, with a row per node, which 'data.COLUMN' asks for; "
                    "docs/node-data.md explains it")
        ->type_name("TABLE");
    declareSurveyOptions(command, *options, versus);
    declareFormats(command, *options);
    command.footer("The exit code is 1 if there is no such node or, with --in, no such model.\n\n"
                   "Examples:\n"
                   "  cutaway-cli query resnet50.onnx 'op:conv* and flops>100M'\n"
                   "  cutaway-cli query resnet50.onnx 'scope:layer1 not op:relu' --csv\n"
                   "  cutaway-cli query llama.pt2 'dtype:float64 or diag:*'\n"
                   "  cutaway-cli query net.pt 'between:x..output and bytes>1MiB' --input x=1x3x224x224:float32\n"
                   "  cutaway-cli query net.onnx op:Loop --count\n"
                   "  cutaway-cli query --in zoo.db 'op:onnx::Loop and params>1G'");
    return [options, &file] { return ask(file, *options); };
}

} // namespace cutaway::cli
