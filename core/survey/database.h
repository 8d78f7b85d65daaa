// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/record.h"

#include <filesystem>
#include <memory>

struct sqlite3;

namespace cutaway::survey {

inline constexpr int schemaVersion = 1;

/// Which state of a file a record is of.
struct FileVersion {
    std::string path;
    std::int64_t bytes = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970
};
/// Of the file as it is now; of one that is gone, with zeros.
FileVersion versionOf(const std::filesystem::path &path);

/// One model of a survey, for comparisons.
struct Entry {
    std::string path;
    State state = State::Read;
    std::string message, graph, inputs, outputs;
    std::int64_t bytes = 0, nodes = 0, parameters = 0, weightBytes = 0;
    std::optional<std::int64_t> flops, peakBytes; ///< where nothing is given
    std::vector<OperatorUse> operators;
};

/// The SQLite file of a survey, see schema.sql. Several programs may write to it at a time.
class Database {
public:
    /// Makes the file if there is none. `program`: the version that writes. Errors: Unreadable: it is no database, or
    /// none of a survey, or of another version of the schema; Backend: it cannot be written.
    static Result<Database> open(const std::filesystem::path &path, const std::string &program);
    /// Errors: as open(); also Unreadable if there is none.
    static Result<Database> read(const std::filesystem::path &path);
    Database(Database &&) noexcept;
    Database &operator=(Database &&) noexcept;
    ~Database();

    /// Whether this version of the file was looked at with this request, by this version of the program.
    Result<bool> has(const FileVersion &file, const Request &request) const;
    /// Replaces what is known of other versions of the file, whole or not at all. Errors (Backend): a full disk, say.
    Result<void> put(const FileVersion &file, const Request &request, const Record &record);
    /// Removes models whose files are gone, and says how many these were.
    Result<std::size_t> dropMissing();
    /// What a model answered; one that could not be looked at has no answer, and why.
    Result<CheckAnswer> answerOf(const std::string &path, const std::string &check) const;
    /// All models, by path.
    Result<std::vector<Entry>> entries() const;

private:
    struct Close {
        void operator()(sqlite3 *connection) const;
    };
    Database(std::unique_ptr<sqlite3, Close> connection, std::string program);

    std::unique_ptr<sqlite3, Close> m_connection;
    std::string m_program;
};

} // namespace cutaway::survey
