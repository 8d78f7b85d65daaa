// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/program.h"

#include "core/base/text.h"
#include "core/formats/pt2/read/corrections.h"
#include "core/formats/pt2/read/graph_reader.h"
#include "core/formats/pt2/read/provenance.h"
#include "core/formats/pt2/read/signature.h"
#include "core/formats/pt2/types.h"
#include "core/ir/context.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::int64_t newestMajor = 8;

/// Reads a bound. Python's int_oo is written as null, inf or a number at the end of the 64 bits. 2^63 - 2 is a bound:
/// exporters write it for sizes that data decides.
std::optional<std::int64_t> bound(Json json)
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const auto n = json.integer();
    return n && *n < most && *n > -(most - 1) ? n : std::nullopt;
}

std::string textOf(const std::optional<std::int64_t> &bound) { return bound ? std::to_string(*bound) : "…"; }

bool isSymbol(std::string_view text)
{
    return !text.empty()
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

class ProgramReader {
public:
    ProgramReader(Reading &reading, Json program, const std::string &modulePrefix, const Weights &weights)
        : m_reading(reading),
          m_program(program),
          m_module(program["graph_module"]),
          m_weights(weights),
          m_types(reading),
          m_provenance(reading, modulePrefix),
          m_prefix(modulePrefix)
    {
    }

    void readFunction(const std::string &name);
    void readSymbols();
    void readHeader();
    void readModuleCalls();

private:
    ir::Model &model() { return m_reading.model; }
    void note(std::string key, std::string value);
    void noteText(const std::string &key, Json value);

    Reading &m_reading;
    Json m_program;
    Json m_module;
    const Weights &m_weights;
    TypeReader m_types;
    ProvenanceReader m_provenance;
    std::string m_prefix;
};

void ProgramReader::note(std::string key, std::string value)
{
    if (!value.empty())
        model().metadata.emplace_back(m_prefix + std::move(key), std::move(value));
}

void ProgramReader::noteText(const std::string &key, Json value)
{
    if (value.exists())
        note(key, value.text() ? std::string(*value.text()) : value.print());
}

void ProgramReader::readFunction(const std::string &name)
{
    const Json graph = m_module["graph"];
    if (!graph.isObject())
        m_reading.fail("the program has no graph: graph_module.graph was expected");
    const Json versions3 = m_module["signature"];
    const Json signature = versions3.exists() ? versions3 : m_program["graph_signature"];
    ir::Function function{m_reading.name(name), ir::Function::Kind::Main, ir::Graph(model().context), {}, {}, {}, {}};
    GraphReader reader(m_reading, m_types, m_provenance, function.graph, ir::Graph::body, graph);

    const auto inputs = inputSpecs(m_reading, signature, graph);
    InputBinder binder(m_reading, reader, m_provenance, m_weights, function);
    std::size_t i = 0;
    graph["inputs"].forEach([&](Json argument) { binder.bind(inputs[i++], argument); });
    binder.reportMissing();
    reader.readNodes();

    const auto outputs = outputSpecs(m_reading, signature, graph);
    const std::vector<ir::Operand> operands = reader.readOutputs();
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const auto *value = operands[k].as<ir::ValueId>();
        function.outputs.push_back({value ? function.graph.at(*value).name : ir::NameId{}, outputs[k].kind, operands[k],
                                    m_reading.name(outputs[k].target)});
    }
    function.graph.setOutputs(ir::Graph::body, operands);
    correctRecords(m_reading, function.graph);
    model().functions.push_back(std::move(function));
}

void ProgramReader::readSymbols()
{
    std::map<std::string, ir::Symbol, std::less<>> symbols;
    for (const auto &[name, hint] : m_types.symbols())
        symbols[name] = {name, {}, {}, hint};
    m_program["range_constraints"].forEachMember([&](std::string_view name, Json range) {
        if (!isSymbol(name))
            return note("range of " + std::string(name),
                        textOf(bound(range["min_val"])) + " to " + textOf(bound(range["max_val"])));
        ir::Symbol &symbol = symbols[std::string(name)];
        symbol.name = name;
        symbol.min = bound(range["min_val"]);
        symbol.max = bound(range["max_val"]);
        if (symbol.min && symbol.max && *symbol.min > *symbol.max) {
            m_reading.notes.warning("pt2.range",
                                    "the range of symbol " + symbol.name + " is empty: " + std::to_string(*symbol.min)
                                        + " to " + std::to_string(*symbol.max));
            symbol.min = symbol.max = std::nullopt;
        }
    });
    for (const ir::Symbol &known : model().symbols)
        symbols.erase(known.name);
    for (auto &[name, symbol] : symbols)
        model().symbols.push_back(std::move(symbol));
}

void ProgramReader::readHeader()
{
    const Json version = m_program["schema_version"];
    const auto major = version.isObject() ? version["major"].integer() : version.integer();
    if (major && m_prefix.empty())
        model().formatVersion =
            "schema " + std::to_string(*major) + "." + std::to_string(version["minor"].integer().value_or(0));
    if (major.value_or(0) > newestMajor)
        m_reading.notes.warning("pt2.version",
                                "the file's schema version " + std::to_string(*major) + " is newer than "
                                    + std::to_string(newestMajor)
                                    + ", the newest this version knows; what is new is not shown");
    if (m_prefix.empty()) {
        model().producer = "pytorch";
        model().producerVersion = m_program["torch_version"].text().value_or("");
        m_program["opset_version"].forEachMember([&](std::string_view name, Json number) {
            model().opsets.emplace_back(std::string(name), number.integer().value_or(0));
        });
    }
    for (const std::string key : {"verifiers", "dialect", "guards_code"})
        if (m_program[key].size() > 0 || m_program[key].text())
            noteText(key, m_program[key]);
    m_module["metadata"].forEachMember([&](std::string_view key, Json value) { noteText(std::string(key), value); });
    if (const Json fields = m_module["treespec_namedtuple_fields"]; fields.size() > 0)
        noteText("treespec_namedtuple_fields", fields);
}

/// Reads the modules of the program and, for those whose signature was kept, how their arguments are nested.
void ProgramReader::readModuleCalls()
{
    m_module["module_call_graph"].forEach([&](Json entry) {
        const std::string path(entry["fqn"].text().value_or(""));
        // "block@1" is the second call of the module, not another one.
        m_provenance.module(path.substr(0, path.find('@')));
        const Json signature = entry["signature"];
        const std::string of = path.empty() ? "" : " of " + path;
        noteText("in_spec" + of, signature["in_spec"]);
        noteText("out_spec" + of, signature["out_spec"]);
        if (signature["forward_arg_names"].size() > 0)
            noteText("forward_arg_names" + of, signature["forward_arg_names"]);
    });
}

} // namespace

void readProgram(Reading &reading, Json program, const std::string &functionName, const std::string &modulePrefix,
                 const Weights &weights)
{
    if (!program.isObject())
        reading.fail("an exported program was expected to be a JSON object, found " + program.print().substr(0, 40));
    ProgramReader reader(reading, program, modulePrefix, weights);
    reader.readHeader();
    reader.readFunction(functionName);
    reader.readModuleCalls();
    reader.readSymbols();
}

} // namespace cutaway::formats::pt2
