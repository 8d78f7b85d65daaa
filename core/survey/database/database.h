// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/connection.h"
#include "core/survey/record.h"
#include "core/survey/request.h"

#include <filesystem>

namespace cutaway::survey {

inline constexpr int schemaVersion = 2;

/// The version of a file that a record is about.
struct FileVersion {
    std::string path;
    std::int64_t bytes = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970
};
/// Returns the version of the file as it is now; zeros if the file is gone.
FileVersion versionOf(const std::filesystem::path &path);

/// A model of a survey. Its modules are omitted unless they are requested.
struct Entry : Record {
    std::string path = {};
    std::int64_t bytes = 0;                     ///< the file's size
    std::int64_t modified = 0;                  ///< the time of the file's last change, in nanoseconds since 1970
    bool hasCosts = false;                      ///< whether `costs` are known for the request
    bool isComplete = true;                     ///< false: an earlier version made the record, without calledOperators
    std::vector<Measurement> measurements = {}; ///< the measurements for all requests, by backend, machine and request

    FileVersion file() const { return {path, bytes, modified}; }
};

enum class Modules : std::uint8_t { LeftOut, Included };

/// Whether a file is an SQLite database, as a survey is; false if it cannot be read.
bool isDatabase(const std::filesystem::path &path);

/// The SQLite file of a survey, see schema.sql. Several programs may write to it at the same time.
class Database {
public:
    /// Opens a survey to write to it. Makes the file if there is none, and the tables that an older file lacks; a file
    /// of an earlier version of the schema is changed to this version. `program`: the version of the program that
    /// writes. Errors: Unreadable: the file is no database, or not of a survey, or of a version of the schema that this
    /// program does not know; Backend: it cannot be written.
    static Result<Database> open(const std::filesystem::path &path, const std::string &program);
    /// Opens a survey without changing the file: a file with an earlier version of the schema is copied into memory and
    /// updated there. Errors: those of open(); Unreadable if there is no file.
    static Result<Database> read(const std::filesystem::path &path);
    Database(Database &&) noexcept;
    Database &operator=(Database &&) noexcept;
    ~Database();

    /// Whether this version of the program has surveyed this version of the file with this request. Errors: Unreadable:
    /// a damaged database; Backend: any other, such as a lock that another program keeps.
    Result<bool> has(const FileVersion &file, const Request &request) const;
    /// Adds a record in place of the entries for other versions of the file, all of it or nothing. A model that was
    /// read with another request keeps its entry if it could not be read with this one. If a model at a URL cannot be
    /// read, the network may be the reason, so has() does not count such a record. Errors: those of has(); a full disk.
    Result<void> put(const FileVersion &file, const Request &request, const Record &record);
    /// Whether the request's profile is to be measured on this machine: this version of the file was read, and was not
    /// measured there, or another try may have a better result. `again`: also if it was measured. Errors: those of
    /// has().
    Result<bool> lacksMeasurement(const FileVersion &file, const Request &request, const std::string &machine,
                                  bool again) const;
    /// Adds a measurement to a model that is in the database. Does nothing if the file has another version by now.
    /// Errors: those of put() above.
    Result<void> put(const FileVersion &file, const Measurement &measurement);
    /// Removes models whose files are gone, and returns their number. Errors: those of has().
    Result<std::size_t> dropMissing();
    /// Returns the answer of a model to a check. A model that could not be read has no answer; the message has the
    /// reason. Errors: those of has().
    Result<CheckAnswer> answerOf(const std::string &path, const std::string &check, const Request &request) const;
    /// Returns all models, by path, with the costs for the request of this name. Errors: those of has().
    Result<std::vector<Entry>> entries(const std::string &request = {}, Modules modules = Modules::LeftOut) const;
    /// Returns the names of the requests for which there are costs. Errors: those of has().
    Result<std::vector<std::string>> requests() const;

private:
    Database(Connection connection, std::string program);

    Connection m_connection;
    std::string m_program;
};

} // namespace cutaway::survey
