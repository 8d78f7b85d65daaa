// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/connection.h"
#include "core/survey/record.h"

#include <filesystem>

namespace cutaway::survey {

inline constexpr int schemaVersion = 2;

/// Which state of a file a record is of.
struct FileVersion {
    std::string path;
    std::int64_t bytes = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970
};
/// Of the file as it is now; of one that is gone, with zeros.
FileVersion versionOf(const std::filesystem::path &path);

/// One model of a survey. Its modules are left out unless they are asked for.
struct Entry : Record {
    std::string path = {};
    std::int64_t bytes = 0;    ///< of the file
    std::int64_t modified = 0; ///< of the file, nanoseconds since 1970
    bool hasCosts = false;     ///< for the request; `costs` says nothing without
    bool isComplete = true;    ///< false: an earlier program looked at it and kept less; calledOperators are missing
    std::vector<Measurement> measurements = {}; ///< of all requests, by backend, machine and request

    FileVersion file() const { return {path, bytes, modified}; }
};

enum class Modules : std::uint8_t { LeftOut, Included };

/// Whether a file is an SQLite database, as a survey is. One that cannot be read is none.
bool isDatabase(const std::filesystem::path &path);

/// The SQLite file of a survey, see schema.sql. Several programs may write to it at a time.
class Database {
public:
    /// Makes the file if there is none, and what an older one lacks; one of an earlier version of the schema becomes
    /// one of this version. `program`: the version that writes. Errors: Unreadable: it is no database, or none of a
    /// survey, or of a version of the schema that this program does not know; Backend: it cannot be written.
    static Result<Database> open(const std::filesystem::path &path, const std::string &program);
    /// Does not change the file: one of an earlier version of the schema is read as a copy in memory. Errors: as
    /// open(); also Unreadable if there is none.
    static Result<Database> read(const std::filesystem::path &path);
    Database(Database &&) noexcept;
    Database &operator=(Database &&) noexcept;
    ~Database();

    /// Whether this version of the file was looked at with this request, by this version of the program.
    Result<bool> has(const FileVersion &file, const Request &request) const;
    /// Replaces what is known of other versions of the file, whole or not at all. A model that was read with another
    /// request stays as it is where it could not be read with this one. That one at a URL cannot be read may be the
    /// network's fault: has() does not count it. Errors (Backend): a full disk, say.
    Result<void> put(const FileVersion &file, const Request &request, const Record &record);
    /// Whether the request's profile is to be taken on this machine: the file was read as it is, and was not measured
    /// there, or may fare better now. `again`: also if it was measured.
    Result<bool> lacksMeasurement(const FileVersion &file, const Request &request, const std::string &machine,
                                  bool again) const;
    /// Beside what is there of a model. Nothing if that has become another meanwhile. Errors: as put().
    Result<void> put(const FileVersion &file, const Measurement &measurement);
    /// Removes models whose files are gone, and says how many these were.
    Result<std::size_t> dropMissing();
    /// What a model answered; one that could not be looked at has no answer, and why.
    Result<CheckAnswer> answerOf(const std::string &path, const std::string &check, const Request &request) const;
    /// All models, by path, with the costs for the request of this name.
    Result<std::vector<Entry>> entries(const std::string &request = {}, Modules modules = Modules::LeftOut) const;
    /// The names of the requests that there are costs for.
    Result<std::vector<std::string>> requests() const;

private:
    Database(Connection connection, std::string program);

    Connection m_connection;
    std::string m_program;
};

} // namespace cutaway::survey
