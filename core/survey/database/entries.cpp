// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All models are read in one statement, and each table of their parts in another one, instead of several statements for
// each of thousands of models.
#include "core/survey/database/database.h"
#include "core/survey/database/statement.h"

#include <unordered_map>

namespace cutaway::survey {

namespace {

constexpr const char *entryRows =
    "SELECT id, path, bytes, modified, state, message, graph, format, format_version, producer, producer_version, "
    "inputs, outputs, nodes, parameters, weight_bytes, models.seconds, memory, request IS NOT NULL, flops, "
    "flops_formula, flops_at_least, other_flops, other_flops_formula, other_flops_at_least, peak_bytes, "
    "peak_bytes_formula, peak_bytes_at_least, flops_unknown, shapes_unknown, costs.seconds, program FROM models "
    "LEFT JOIN costs ON model = id AND request = ? ORDER BY path";

Figure figureFrom(const Statement &row, int column)
{
    return {row.known(column), row.text(column + 1), row.known(column + 2)};
}

Entry entryFrom(const Statement &row)
{
    Entry entry;
    entry.path = row.text(1);
    entry.bytes = row.number(2);
    entry.modified = row.number(3);
    entry.state = stateOf(row.text(4)).value_or(State::Unreadable);
    entry.message = row.text(5);
    entry.graph = row.text(6);
    entry.format = row.text(7);
    entry.formatVersion = row.text(8);
    entry.producer = row.text(9);
    entry.producerVersion = row.text(10);
    entry.inputs = row.text(11);
    entry.outputs = row.text(12);
    entry.nodes = row.number(13);
    entry.parameters = row.number(14);
    entry.weightBytes = row.number(15);
    entry.seconds = row.real(16);
    entry.memory = row.number(17);
    entry.hasCosts = row.number(18) != 0;
    entry.costs = {.flops = figureFrom(row, 19),
                   .otherFlops = figureFrom(row, 22),
                   .peakBytes = figureFrom(row, 25),
                   .flopsUnknown = row.number(28),
                   .shapesUnknown = row.number(29),
                   .seconds = row.knownReal(30)};
    entry.isComplete = !row.text(31).empty();
    return entry;
}

Measurement measurementFrom(const Statement &row)
{
    return {.machine = row.text(2),
            .backend = row.text(3),
            .request = row.text(1),
            .processor = row.text(4),
            .state = measurementStateOf(row.text(5)).value_or(Measurement::State::Absent),
            .message = row.text(6),
            .seconds = row.knownReal(7),
            .p5 = row.knownReal(8),
            .p95 = row.knownReal(9),
            .runs = row.number(10),
            .peakBytes = row.known(11),
            .predicted = row.knownReal(12)};
}

/// Reads all models and then, one table after another, their parts, from one state of the database.
class EntryReader {
public:
    explicit EntryReader(sqlite3 *connection) : m_connection(connection)
    {
        sqlite3_exec(connection, "BEGIN", nullptr, nullptr, nullptr);
    }
    EntryReader(const EntryReader &) = delete;
    EntryReader &operator=(const EntryReader &) = delete;
    ~EntryReader() { sqlite3_exec(m_connection, "ROLLBACK", nullptr, nullptr, nullptr); }

    Result<std::vector<Entry>> read(const std::string &request, Modules modules)
    {
        Statement models(m_connection, entryRows, {request});
        each(models, [&] {
            m_places.emplace(models.number(0), m_entries.size());
            m_entries.push_back(entryFrom(models));
        });
        readParts();
        if (modules == Modules::Included)
            part("SELECT model, path, class, parameters FROM modules ORDER BY model, position",
                 [](Entry &entry, const Statement &row) {
                     entry.modules.push_back({row.text(1), row.text(2), row.number(3)});
                 });
        CUTAWAY_RETURN_IF_ERROR(std::move(m_result));
        return std::move(m_entries);
    }

private:
    void readParts()
    {
        part("SELECT model, dialect, name, overload, count, flops FROM operators "
             "ORDER BY model, dialect, name, overload",
             [](Entry &entry, const Statement &row) {
                 entry.operators.push_back({row.text(1), row.text(2), row.text(3), row.number(4), row.known(5)});
             });
        part("SELECT model, dialect, name, overload, count, function FROM function_operators "
             "ORDER BY model, function, dialect, name, overload",
             [](Entry &entry, const Statement &row) {
                 entry.calledOperators.push_back(
                     {row.text(1), row.text(2), row.text(3), row.number(4), std::nullopt, row.number(5)});
             });
        part("SELECT model, request, machine, backend, processor, state, message, seconds, p5, p95, runs, peak_bytes, "
             "predicted FROM profiles ORDER BY model, backend, machine, request",
             [](Entry &entry, const Statement &row) { entry.measurements.push_back(measurementFrom(row)); });
        part("SELECT model, domain, version FROM opsets ORDER BY model, domain",
             [](Entry &entry, const Statement &row) { entry.opsets.push_back({row.text(1), row.number(2)}); });
        part("SELECT model, name, nodes FROM functions ORDER BY model, position",
             [](Entry &entry, const Statement &row) { entry.functions.push_back({row.text(1), row.number(2)}); });
        part("SELECT model, name, passed, message FROM checks ORDER BY model, name",
             [](Entry &entry, const Statement &row) {
                 const auto passed = row.known(2);
                 entry.checks.push_back(
                     {row.text(1), passed ? std::optional(*passed != 0) : std::nullopt, row.text(3)});
             });
        part("SELECT model, name, min, max FROM symbols ORDER BY model, name", [](Entry &entry, const Statement &row) {
            entry.symbols.push_back({row.text(1), row.known(2), row.known(3)});
        });
        part("SELECT model, severity, code, message, count FROM diagnostics ORDER BY model, severity, code",
             [](Entry &entry, const Statement &row) {
                 entry.findings.push_back({row.text(1), row.text(2), row.text(3), row.number(4)});
             });
    }

    void each(Statement &rows, const auto &take)
    {
        if (!m_result)
            return;
        Result<bool> more = rows.next();
        for (; more && *more; more = rows.next())
            take();
        if (!more)
            m_result = std::unexpected(more.error());
    }

    void part(const char *text, const auto &take)
    {
        Statement rows(m_connection, text);
        each(rows, [&] {
            if (const auto place = m_places.find(rows.number(0)); place != m_places.end())
                take(m_entries[place->second], rows);
        });
    }

    sqlite3 *m_connection;
    std::vector<Entry> m_entries;
    std::unordered_map<std::int64_t, std::size_t> m_places; ///< by the id in the database: the index of the entry
    Result<void> m_result;
};

} // namespace

Result<std::vector<Entry>> Database::entries(const std::string &request, Modules modules) const
{
    return EntryReader(m_connection.get()).read(request, modules);
}

Result<std::vector<std::string>> Database::requests() const
{
    std::vector<std::string> names;
    Statement all(m_connection.get(), "SELECT DISTINCT request FROM costs ORDER BY request");
    Result<bool> more = all.next();
    for (; more && *more; more = all.next())
        names.push_back(all.text(0));
    CUTAWAY_RETURN_IF_ERROR(more);
    return names;
}

} // namespace cutaway::survey
