// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/database/database.h"

#include "core/base/result.h"
#include "core/survey/database/schema.h"
#include "core/survey/database/transaction.h"
#include "core/survey/model_files.h"

#include <chrono>
#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace cutaway::survey {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds patience = 60s; ///< the time that another survey may take to write

/// Sets the write-ahead log, with which readers and one writer do not wait for each other. While another connection
/// sets it, SQLite answers "busy" at once and ignores its timeout, so this function waits.
Result<void> useWriteAheadLog(sqlite3 *connection)
{
    for (const auto end = std::chrono::steady_clock::now() + patience;; std::this_thread::sleep_for(5ms)) {
        Result<void> done = execute(connection, "PRAGMA journal_mode = WAL");
        if (done || sqlite3_errcode(connection) != SQLITE_BUSY || std::chrono::steady_clock::now() > end)
            return done;
    }
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

bool isDatabase(const std::filesystem::path &path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) // opening a pipe would wait until something writes to it
        return false;
    constexpr std::string_view signature("SQLite format 3\0", 16);
    std::string start(signature.size(), ' ');
    std::ifstream file(path, std::ios::binary);
    return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == signature;
}

Database::Database(Connection connection, std::string program)
    : m_connection(std::move(connection)),
      m_program(std::move(program))
{
}
Database::Database(Database &&) noexcept = default;
Database &Database::operator=(Database &&) noexcept = default;
Database::~Database() = default;
void CloseConnection::operator()(sqlite3 *connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::filesystem::path &path, const std::string &program)
{
    sqlite3 *opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    Connection connection(opened);
    if (code != SQLITE_OK)
        return failure(opened);
    sqlite3_busy_timeout(opened, patience.count());
    CUTAWAY_RETURN_IF_ERROR(useWriteAheadLog(opened));
    // With these settings a commit does not wait for the disk.
    CUTAWAY_RETURN_IF_ERROR(execute(opened, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"));
    CUTAWAY_RETURN_IF_ERROR(makeCurrent(opened, program));
    return Database(std::move(connection), program);
}

Result<Database> Database::read(const std::filesystem::path &path)
{
    sqlite3 *opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    Connection connection(opened);
    if (code != SQLITE_OK)
        return failure(opened);
    sqlite3_busy_timeout(opened, patience.count());
    CUTAWAY_TRY(auto current, asCurrent(std::move(connection)));
    return Database(std::move(current), {});
}

Result<bool> Database::has(const FileVersion &file, const Request &request) const
{
    const Look *look = std::get_if<Look>(&request.asked);
    for (const std::string &check : look ? look->checks : std::vector<std::string>()) {
        Statement asked(m_connection.get(),
                        "SELECT 1 FROM models WHERE path = ?1 AND (state <> 'read' OR EXISTS "
                        "(SELECT 1 FROM checks WHERE model = models.id AND name = ?2) OR EXISTS "
                        "(SELECT 1 FROM failed_requests WHERE model = models.id AND request = ?3))",
                        {file.path, check, request.name()});
        const Result<bool> known = asked.next();
        if (!known || !*known)
            return known;
    }
    // A file that could not be read without given values cannot be read at all, and counts for every request; a crash
    // or a timeout may be due to the request.
    Statement query(m_connection.get(),
                    "SELECT 1 FROM models WHERE path = ?1 AND bytes = ?2 AND modified = ?3 AND program = ?4 AND "
                    "(EXISTS (SELECT 1 FROM costs WHERE model = models.id AND request = ?5) OR EXISTS "
                    "(SELECT 1 FROM failed_requests WHERE model = models.id AND (request = ?5 OR "
                    "(request = '' AND failed_requests.state = 'unreadable'))))",
                    {file.path, file.bytes, file.modified, m_program, request.name()});
    return query.next();
}

namespace {

/// Writes the rows of one record into the tables.
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

    /// Adds costs and answers to a model that is in the database.
    Result<void> costs(std::int64_t id, const Request &request)
    {
        m_id = id;
        run("DELETE FROM failed_requests WHERE model = ? AND request = ?", {m_id, request.name()});
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
    /// Records how this request failed for a model that is in the database.
    Result<void> failed(std::int64_t id, const Request &request)
    {
        run("DELETE FROM costs WHERE model = ? AND request = ?", {id, request.name()});
        run("INSERT OR REPLACE INTO failed_requests VALUES (?, ?, ?, ?)",
            {id, request.name(), std::string(name(m_record.state)), m_record.message});
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
        for (const OperatorUse &each : m_record.calledOperators)
            run("INSERT OR REPLACE INTO function_operators VALUES (?, ?, ?, ?, ?, ?)",
                {m_id, each.function, each.dialect, each.name, each.overload, each.count});
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
            m_result = Statement(m_connection, text, parameters).run();
    }

    sqlite3 *m_connection;
    const Record &m_record;
    std::int64_t m_id = 0;
    Result<void> m_result;
};

/// Returns the row of the model that is kept: it belongs to this version of the file and the program, and has something
/// that the record does not answer anew. 0 if there is none.
Result<std::int64_t> rowThatStays(sqlite3 *connection, const FileVersion &file, const std::string &program,
                                  const Request &request, const Record &record)
{
    Statement same(
        connection,
        "SELECT id FROM models WHERE path = ?1 AND bytes = ?2 AND modified = ?3 AND program = ?4 AND "
        "state = 'read' AND (?5 OR EXISTS (SELECT 1 FROM costs WHERE model = id AND request <> ?6))",
        {file.path, file.bytes, file.modified, program, std::int64_t{record.state == State::Read}, request.name()});
    CUTAWAY_TRY(const bool found, same.next());
    return found ? same.number(0) : 0;
}

} // namespace

Result<void> Database::put(const FileVersion &file, const Request &request, const Record &record)
{
    sqlite3 *connection = m_connection.get();
    Transaction transaction(connection);
    CUTAWAY_RETURN_IF_ERROR(transaction.begin());
    CUTAWAY_TRY(const std::int64_t kept, rowThatStays(connection, file, m_program, request, record));
    Put put(connection, record);
    std::int64_t id = kept;
    // The reason may be temporary, such as the network.
    const bool mayPass = isUrl(file.path) && record.state == State::Unreadable;
    if (mayPass && id != 0)
        return {};
    if (id == 0) {
        const FileVersion known{file.path, file.bytes, mayPass ? 0 : file.modified};
        const Result<void> removed = Statement(connection, "DELETE FROM models WHERE path = ?", {file.path}).run();
        const Result<void> added = removed ? put.model(known, m_program) : removed;
        if (!added)
            return added;
        id = put.id();
    }
    CUTAWAY_RETURN_IF_ERROR(record.state == State::Read ? put.costs(id, request) : put.failed(id, request));
    return transaction.commit();
}

Result<std::size_t> Database::dropMissing()
{
    std::vector<std::int64_t> missing;
    Statement all(m_connection.get(), "SELECT id, path FROM models");
    Result<bool> more = all.next();
    for (; more && *more; more = all.next()) {
        std::error_code error;
        if (!isUrl(all.text(1))
            && std::filesystem::status(all.text(1), error).type() == std::filesystem::file_type::not_found)
            missing.push_back(all.number(0));
    }
    CUTAWAY_RETURN_IF_ERROR(more);
    for (const std::int64_t id : missing)
        CUTAWAY_RETURN_IF_ERROR(Statement(m_connection.get(), "DELETE FROM models WHERE id = ?", {id}).run());
    return missing.size();
}

Result<CheckAnswer> Database::answerOf(const std::string &path, const std::string &check, const Request &request) const
{
    Statement query(m_connection.get(),
                    "SELECT passed, coalesce(checks.message, failed_requests.state || ': ' || failed_requests.message, "
                    "models.state || ': ' || models.message) FROM models "
                    "LEFT JOIN checks ON checks.model = id AND name = ?1 "
                    "LEFT JOIN failed_requests ON failed_requests.model = id AND request = ?2 WHERE path = ?3",
                    {check, request.name(), path});
    CUTAWAY_TRY(const bool found, query.next());
    if (!found)
        return CheckAnswer{check, {}, "the file is gone"};
    const auto passed = query.known(0);
    return CheckAnswer{check, passed ? std::optional(*passed != 0) : std::nullopt, query.text(1)};
}

} // namespace cutaway::survey
