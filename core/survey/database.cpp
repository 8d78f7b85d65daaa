// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/database.h"

#include "core/base/overloaded.h"
#include "core/survey/model_files.h"

#include <cstring>
#include <sqlite3.h>
#include <sys/stat.h>
#include <variant>

namespace cutaway::survey {

namespace {

constexpr const char *schema =
#include "core/survey/schema.inc"
    ;

/// The statements that make what older databases lack, at the end of the schema.
const char *additions() { return std::strstr(schema, "CREATE TABLE IF NOT EXISTS"); }

constexpr int patience = 60'000; ///< milliseconds that another survey may take for its writing

std::unexpected<Error> failure(sqlite3 *connection)
{
    const int code = sqlite3_errcode(connection);
    const std::string message = sqlite3_errmsg(connection);
    const bool isNone = code == SQLITE_NOTADB || code == SQLITE_CANTOPEN || code == SQLITE_CORRUPT;
    return isNone ? unreadable("the survey cannot be opened: " + message)
                  : backendError("the survey cannot be written: " + message);
}

using Parameter = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

Parameter orNull(const std::optional<std::int64_t> &value) { return value ? Parameter(*value) : Parameter(nullptr); }
Parameter orNull(const std::optional<double> &value) { return value ? Parameter(*value) : Parameter(nullptr); }

/// A prepared statement with its parameters.
class Query {
public:
    Query(sqlite3 *connection, const char *text, const std::vector<Parameter> &parameters = {})
        : m_connection(connection)
    {
        sqlite3_stmt *made = nullptr;
        m_code = sqlite3_prepare_v2(connection, text, -1, &made, nullptr);
        m_statement.reset(made);
        for (std::size_t i = 0; m_code == SQLITE_OK && i < parameters.size(); ++i)
            bind(static_cast<int>(i + 1), parameters[i]);
    }

    /// Whether there is a (further) row.
    Result<bool> next()
    {
        if (m_code == SQLITE_OK)
            m_code = sqlite3_step(m_statement.get());
        if (m_code == SQLITE_ROW) {
            m_code = SQLITE_OK;
            return true;
        }
        return m_code == SQLITE_DONE ? Result<bool>(false) : failure(m_connection);
    }

    Result<void> run()
    {
        const Result<bool> done = next();
        return done ? Result<void>() : std::unexpected(done.error());
    }

    std::string text(int column) const
    {
        const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_statement.get(), column));
        return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)))
                     : std::string();
    }
    std::int64_t number(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
    std::optional<std::int64_t> known(int column) const
    {
        const bool isNull = sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
        return isNull ? std::nullopt : std::optional(number(column));
    }

private:
    void bind(int index, const Parameter &parameter)
    {
        sqlite3_stmt *statement = m_statement.get();
        m_code = std::visit(Overloaded{[&](std::nullptr_t) { return sqlite3_bind_null(statement, index); },
                                       [&](std::int64_t n) { return sqlite3_bind_int64(statement, index, n); },
                                       [&](double x) { return sqlite3_bind_double(statement, index, x); },
                                       [&](const std::string &text) {
                                           return sqlite3_bind_text64(statement, index, text.data(), text.size(),
                                                                      SQLITE_TRANSIENT, SQLITE_UTF8);
                                       }},
                            parameter);
    }

    struct Finalize {
        void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
    };
    sqlite3 *m_connection;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    int m_code = SQLITE_OK;
};

Result<void> execute(sqlite3 *connection, const char *text)
{
    return sqlite3_exec(connection, text, nullptr, nullptr, nullptr) == SQLITE_OK ? Result<void>()
                                                                                  : failure(connection);
}

/// Undoes everything that was not committed.
class Transaction {
public:
    explicit Transaction(sqlite3 *connection) : m_connection(connection) { }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    ~Transaction()
    {
        if (m_isOpen)
            sqlite3_exec(m_connection, "ROLLBACK", nullptr, nullptr, nullptr);
    }

    Result<void> begin()
    {
        const Result<void> begun = execute(m_connection, "BEGIN IMMEDIATE");
        m_isOpen = begun.has_value();
        return begun;
    }
    Result<void> commit()
    {
        const Result<void> done = execute(m_connection, "COMMIT");
        m_isOpen = !done;
        return done;
    }

private:
    sqlite3 *m_connection;
    bool m_isOpen = false;
};

Result<void> checkSchema(sqlite3 *connection)
{
    Query query(connection, "SELECT value FROM survey WHERE key = 'schema'");
    const Result<bool> found = query.next();
    if (!found && sqlite3_errcode(connection) == SQLITE_ERROR)
        return unreadable("the database is none of a survey");
    if (!found)
        return std::unexpected(found.error());
    const std::string version = *found ? query.text(0) : "none";
    if (version != std::to_string(schemaVersion))
        return unreadable("the survey has version " + version + " of the schema, and this program reads version "
                          + std::to_string(schemaVersion));
    return {};
}

Result<bool> isEmpty(sqlite3 *connection)
{
    Query query(connection, "SELECT 1 FROM sqlite_schema LIMIT 1");
    const Result<bool> found = query.next();
    return found ? Result<bool>(!*found) : found;
}

Result<void> makeSchema(sqlite3 *connection, const std::string &program)
{
    Transaction transaction(connection);
    if (const Result<void> begun = transaction.begin(); !begun)
        return begun;
    const Result<bool> empty = isEmpty(connection); // another survey may have made it meanwhile
    if (!empty)
        return std::unexpected(empty.error());
    if (!*empty)
        return transaction.commit();
    if (const Result<void> made = execute(connection, schema); !made)
        return made;
    for (const auto &[key, value] : {std::pair("schema", std::to_string(schemaVersion)), std::pair("program", program)})
        if (const Result<void> put =
                Query(connection, "INSERT INTO survey VALUES (?, ?)", {std::string(key), value}).run();
            !put)
            return put;
    return transaction.commit();
}

} // namespace

FileVersion versionOf(const std::filesystem::path &path)
{
    struct stat state{};
    FileVersion version{path.string()};
    if (::stat(path.c_str(), &state) == 0) {
        version.bytes = state.st_size;
        version.modified = std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec;
    }
    return version;
}

Database::Database(std::unique_ptr<sqlite3, Close> connection, std::string program)
    : m_connection(std::move(connection)),
      m_program(std::move(program))
{
}
Database::Database(Database &&) noexcept = default;
Database &Database::operator=(Database &&) noexcept = default;
Database::~Database() = default;
void Database::Close::operator()(sqlite3 *connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::filesystem::path &path, const std::string &program)
{
    sqlite3 *opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    std::unique_ptr<sqlite3, Close> connection(opened);
    if (code != SQLITE_OK)
        return failure(opened);
    sqlite3_busy_timeout(opened, patience);
    // Readers and one writer do not wait for each other, and a commit does not wait for the disk.
    if (const Result<void> set = execute(opened,
                                         "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                                         "PRAGMA foreign_keys = ON");
        !set)
        return std::unexpected(set.error());
    const Result<bool> empty = isEmpty(opened);
    if (!empty)
        return std::unexpected(empty.error());
    const Result<void> ready = *empty ? makeSchema(opened, program) : Result<void>();
    if (!ready)
        return std::unexpected(ready.error());
    if (const Result<void> fits = checkSchema(opened); !fits)
        return std::unexpected(fits.error());
    if (const Result<void> added = execute(opened, additions()); !added)
        return std::unexpected(added.error());
    return Database(std::move(connection), program);
}

Result<Database> Database::read(const std::filesystem::path &path)
{
    sqlite3 *opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    std::unique_ptr<sqlite3, Close> connection(opened);
    if (code != SQLITE_OK)
        return failure(opened);
    sqlite3_busy_timeout(opened, patience);
    if (const Result<void> fits = checkSchema(opened); !fits)
        return std::unexpected(fits.error());
    return Database(std::move(connection), {});
}

Result<bool> Database::has(const FileVersion &file, const Request &request) const
{
    for (const std::string &check : request.checks) {
        Query asked(m_connection.get(),
                    "SELECT 1 FROM models WHERE path = ? AND (state <> 'read' OR EXISTS "
                    "(SELECT 1 FROM checks WHERE model = models.id AND name = ?))",
                    {file.path, check});
        const Result<bool> known = asked.next();
        if (!known || !*known)
            return known;
    }
    // What could not be read has no costs.
    Query query(m_connection.get(),
                "SELECT 1 FROM models WHERE path = ? AND bytes = ? AND modified = ? AND program = ? AND "
                "(state <> 'read' OR EXISTS (SELECT 1 FROM costs WHERE model = models.id AND request = ?))",
                {file.path, file.bytes, file.modified, m_program, request.name()});
    return query.next();
}

namespace {

/// What one put() writes.
class Put {
public:
    Put(sqlite3 *connection, const Record &record) : m_connection(connection), m_record(record) { }

    Result<void> model(const FileVersion &file, const std::string &program)
    {
        const Record &r = m_record;
        run("INSERT INTO models (path, bytes, modified, program, state, message, graph, format, format_version, "
            "producer, producer_version, inputs, outputs, nodes, parameters, weight_bytes, seconds, memory) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            {file.path, file.bytes, file.modified, program, std::string(name(r.state)), r.message, r.graph, r.format,
             r.formatVersion, r.producer, r.producerVersion, r.inputs, r.outputs, r.nodes, r.parameters, r.weightBytes,
             r.seconds, r.memory});
        m_id = sqlite3_last_insert_rowid(m_connection);
        parts();
        return m_result;
    }

    /// Of a model that is there: these costs and answers more.
    Result<void> costs(std::int64_t id, const Request &request)
    {
        m_id = id;
        const Costs &c = m_record.costs;
        run("INSERT OR REPLACE INTO costs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            {m_id, request.name(), orNull(c.flops.value), c.flops.formula, orNull(c.flops.atLeast),
             orNull(c.otherFlops.value), c.otherFlops.formula, orNull(c.otherFlops.atLeast), orNull(c.peakBytes.value),
             c.peakBytes.formula, orNull(c.peakBytes.atLeast), c.flopsUnknown, c.shapesUnknown, orNull(c.seconds)});
        for (const CheckAnswer &each : m_record.checks)
            run("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?)",
                {m_id, each.check, each.passed ? Parameter(std::int64_t{*each.passed ? 1 : 0}) : Parameter(nullptr),
                 each.message});
        return m_result;
    }
    std::int64_t id() const { return m_id; }

private:
    void parts()
    {
        for (const OpsetUse &each : m_record.opsets)
            run("INSERT OR REPLACE INTO opsets VALUES (?, ?, ?)", {m_id, each.domain, each.version});
        for (std::size_t i = 0; i < m_record.functions.size(); ++i)
            run("INSERT INTO functions VALUES (?, ?, ?, ?)",
                {m_id, static_cast<std::int64_t>(i), m_record.functions[i].name, m_record.functions[i].nodes});
        for (const OperatorUse &each : m_record.operators)
            run("INSERT OR REPLACE INTO operators VALUES (?, ?, ?, ?, ?, ?)",
                {m_id, each.dialect, each.name, each.overload, each.count, orNull(each.flops)});
        for (std::size_t i = 0; i < m_record.modules.size(); ++i)
            run("INSERT INTO modules VALUES (?, ?, ?, ?, ?)",
                {m_id, static_cast<std::int64_t>(i), m_record.modules[i].path, m_record.modules[i].className,
                 m_record.modules[i].parameters});
        for (const SymbolUse &each : m_record.symbols)
            run("INSERT OR REPLACE INTO symbols VALUES (?, ?, ?, ?)",
                {m_id, each.name, orNull(each.min), orNull(each.max)});
        for (const Findings &each : m_record.findings)
            run("INSERT OR REPLACE INTO diagnostics VALUES (?, ?, ?, ?, ?)",
                {m_id, each.severity, each.code, each.message, each.count});
        if (m_record.bytesRead)
            run("INSERT INTO remote VALUES (?, ?)", {m_id, *m_record.bytesRead});
    }

    void run(const char *text, const std::vector<Parameter> &parameters)
    {
        if (m_result)
            m_result = Query(m_connection, text, parameters).run();
    }

    sqlite3 *m_connection;
    const Record &m_record;
    std::int64_t m_id = 0;
    Result<void> m_result;
};

} // namespace

Result<void> Database::put(const FileVersion &file, const Request &request, const Record &record)
{
    sqlite3 *connection = m_connection.get();
    Transaction transaction(connection);
    if (const Result<void> begun = transaction.begin(); !begun)
        return begun;
    Query same(connection,
               "SELECT id FROM models WHERE path = ? AND bytes = ? AND modified = ? AND program = ? AND state = 'read'",
               {file.path, file.bytes, file.modified, m_program});
    const Result<bool> found = same.next();
    if (!found)
        return std::unexpected(found.error());
    Put put(connection, record);
    std::int64_t id = *found && record.state == State::Read ? same.number(0) : 0;
    if (id == 0) {
        const Result<void> removed = Query(connection, "DELETE FROM models WHERE path = ?", {file.path}).run();
        const Result<void> added = removed ? put.model(file, m_program) : removed;
        if (!added)
            return added;
        id = put.id();
    }
    if (record.state == State::Read)
        if (const Result<void> added = put.costs(id, request); !added)
            return added;
    return transaction.commit();
}

Result<std::size_t> Database::dropMissing()
{
    std::vector<std::int64_t> missing;
    Query all(m_connection.get(), "SELECT id, path FROM models");
    Result<bool> more = all.next();
    for (; more && *more; more = all.next()) {
        std::error_code error;
        if (!isUrl(all.text(1))
            && std::filesystem::status(all.text(1), error).type() == std::filesystem::file_type::not_found)
            missing.push_back(all.number(0));
    }
    if (!more)
        return std::unexpected(more.error());
    for (const std::int64_t id : missing)
        if (const Result<void> removed = Query(m_connection.get(), "DELETE FROM models WHERE id = ?", {id}).run();
            !removed)
            return std::unexpected(removed.error());
    return missing.size();
}

Result<CheckAnswer> Database::answerOf(const std::string &path, const std::string &check) const
{
    Query query(m_connection.get(),
                "SELECT passed, coalesce(checks.message, state || ': ' || models.message) FROM models "
                "LEFT JOIN checks ON model = id AND name = ? WHERE path = ?",
                {check, path});
    const Result<bool> found = query.next();
    if (!found)
        return std::unexpected(found.error());
    if (!*found)
        return CheckAnswer{check, {}, "the file is gone"};
    const auto passed = query.known(0);
    return CheckAnswer{check, passed ? std::optional(*passed != 0) : std::nullopt, query.text(1)};
}

Result<std::vector<Entry>> Database::entries() const
{
    std::vector<Entry> entries;
    Query models(m_connection.get(),
                 "SELECT path, state, message, graph, inputs, outputs, bytes, nodes, parameters, weight_bytes, "
                 "costs.flops, costs.peak_bytes, id FROM models LEFT JOIN costs ON model = id AND request = '' "
                 "ORDER BY path");
    Result<bool> more = models.next();
    for (; more && *more; more = models.next()) {
        Entry entry{models.text(0),
                    stateOf(models.text(1)).value_or(State::Unreadable),
                    models.text(2),
                    models.text(3),
                    models.text(4),
                    models.text(5),
                    models.number(6),
                    models.number(7),
                    models.number(8),
                    models.number(9),
                    models.known(10),
                    models.known(11),
                    {}};
        Query operators(m_connection.get(),
                        "SELECT dialect, name, overload, count, flops FROM operators WHERE model = ? "
                        "ORDER BY dialect, name, overload",
                        {models.number(12)});
        Result<bool> row = operators.next();
        for (; row && *row; row = operators.next())
            entry.operators.push_back(
                {operators.text(0), operators.text(1), operators.text(2), operators.number(3), operators.known(4)});
        if (!row)
            return std::unexpected(row.error());
        entries.push_back(std::move(entry));
    }
    if (!more)
        return std::unexpected(more.error());
    return entries;
}

} // namespace cutaway::survey
