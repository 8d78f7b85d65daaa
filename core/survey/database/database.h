// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/connection.h"
#include "core/survey/record.h"

#include <filesystem>

namespace cutaway::survey {

inline constexpr int schemaVersion = 2;

/// The state of a file that a record is of.
struct FileVersion {
    std::string path;
    std::int64_t bytes = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970
};
/// Returns the version of the file as it is now; zeros if the file is gone.
FileVersion versionOf(const std::filesystem::path &path);

/// One model of a survey. Its modules are left out unless they are asked for.
struct Entry : Record {
    std::string path = {};
    std::int64_t bytes = 0;    ///< the file's size
    std::int64_t modified = 0; ///< when the file was changed last, nanoseconds since 1970
    bool hasCosts = false;     ///< for the request; `costs` says nothing without
    bool isComplete = true;    ///< false: an earlier program looked at it and kept less; calledOperators are missing
    std::vector<Measurement> measurements = {}; ///< results of all requests, by backend, machine and request

    FileVersion file() const { return {path, bytes, modified}; }
};

enum class Modules : std::uint8_t { LeftOut, Included };

/// Whether a file is an SQLite database, as a survey is; false if it cannot be read.
bool isDatabase(const std::filesystem::path &path);

/// The SQLite file of a survey, see schema.sql. Several programs may write to it at a time.
class Database {
public:
    /// Opens a survey to write to it. Makes the file if there is none, and the tables that an older file lacks; a file
    /// of an earlier version of the schema is changed to this version. `program`: the version of the program that
    /// writes. Errors: Unreadable: the file is no database, or not of a survey, or of a version of the schema that this
    /// program does not know; Backend: it cannot be written.
    static Result<Database> open(const std::filesystem::path &path, const std::string &program);
    /// Opens a survey without changing the file: a file of an earlier version of the schema is read as a copy in
    /// memory. Errors: as open(); also Unreadable if there is no file.
    static Result<Database> read(const std::filesystem::path &path);
    Database(Database &&) noexcept;
    Database &operator=(Database &&) noexcept;
    ~Database();

    /// Whether this version of the program looked at this version of the file with this request. Errors: Unreadable: a
    /// damaged database; Backend: others, as of a lock that another program keeps.
    Result<bool> has(const FileVersion &file, const Request &request) const;
    /// Replaces what is known of other versions of the file, whole or not at all. A model that was read with another
    /// request stays as it is if it could not be read with this one. If a model at a URL cannot be read, the network
    /// may be the reason: has() does not count it. Errors: as has(), also a full disk.
    Result<void> put(const FileVersion &file, const Request &request, const Record &record);
    /// Whether the request's profile is to be taken on this machine: the file was read as it is, and was not measured
    /// there, or another try may have a better result. `again`: also if it was measured. Errors: as has().
    Result<bool> lacksMeasurement(const FileVersion &file, const Request &request, const std::string &machine,
                                  bool again) const;
    /// Adds a measurement to a model that is in the database. Does nothing if the file has another version meanwhile.
    /// Errors: as put() above.
    Result<void> put(const FileVersion &file, const Measurement &measurement);
    /// Removes models whose files are gone, and returns their number. Errors: as has().
    Result<std::size_t> dropMissing();
    /// Returns the answer of a model to a check. A model that could not be looked at has no answer; the message says
    /// why. Errors: as has().
    Result<CheckAnswer> answerOf(const std::string &path, const std::string &check, const Request &request) const;
    /// Returns all models, by path, with the costs for the request of this name. Errors: as has().
    Result<std::vector<Entry>> entries(const std::string &request = {}, Modules modules = Modules::LeftOut) const;
    /// Returns the names of the requests for which there are costs. Errors: as has().
    Result<std::vector<std::string>> requests() const;

private:
    Database(Connection connection, std::string program);

    Connection m_connection;
    std::string m_program;
};

} // namespace cutaway::survey
