// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace cutaway {

/// The kinds of failure of an Error; the command line's exit codes follow the kind.
enum class ErrorKind {
    Usage,      ///< the request itself is wrong
    Unreadable, ///< a file cannot be read: missing, damaged, or of an unsupported kind
    Backend,    ///< another program (a plugin) failed
    Cancelled,  ///< the user or a limit stopped the work
};

/// An error for users: `message` starts lower-case and names what was found and what was expected; `where` is the
/// location (archive member, byte offset, node, line) or empty.
struct Error {
    ErrorKind kind = ErrorKind::Unreadable;
    std::string message;
    std::string where;
    std::string subject = {}; ///< the file that the error is about; empty: the file that the caller asked about

    /// Returns "message (where)"; the message alone if there is no location.
    std::string text() const { return where.empty() ? message : message + " (" + where + ")"; }
    /// Prefixes the location: in("model.json") gives "model.json, line 3".
    Error in(std::string outer) const
    {
        return {kind, message, where.empty() ? std::move(outer) : outer + ", " + where, subject};
    }
    /// Appends a note to the location: "line 3; s0 = 5".
    Error noting(std::string remark) const
    {
        return {kind, message, where.empty() ? std::move(remark) : where + "; " + remark, subject};
    }
    bool operator==(const Error &) const = default;
};

/// The return type of all library interfaces that can fail. No exception leaves them.
template <class T>
using Result = std::expected<T, Error>;

/// Adds `subject` to the Error of `result`, unless it names a subject itself.
template <class T>
Result<T> withSubject(std::string_view subject, Result<T> result)
{
    if (!result && result.error().subject.empty())
        result.error().subject = subject;
    return result;
}

/// Makes an error of a file that cannot be read: `return unreadable("the graph is missing", "field 7");`
inline std::unexpected<Error> unreadable(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Unreadable, std::move(message), std::move(where)});
}

/// Makes an error of the request itself: an option, a name.
inline std::unexpected<Error> usageError(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Usage, std::move(message), std::move(where)});
}

/// Makes an error of an external program.
inline std::unexpected<Error> backendError(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), std::move(where)});
}

/// Makes the error of work that the user or a limit stopped.
inline std::unexpected<Error> cancelled() { return std::unexpected(Error{ErrorKind::Cancelled, "cancelled", {}}); }

} // namespace cutaway

#define CUTAWAY_PASTED(a, b) a##b
#define CUTAWAY_JOINED(a, b) CUTAWAY_PASTED(a, b)
#define CUTAWAY_TRY_AS(result, declaration, ...)                                                                       \
    auto result = (__VA_ARGS__);                                                                                       \
    if (!result)                                                                                                       \
        return std::unexpected(std::move(result).error());                                                             \
    declaration = *std::move(result)

/// `CUTAWAY_TRY(const Zip zip, Zip::open(path));` declares `zip` with the value of the Result, or returns its error
/// from the function.
#define CUTAWAY_TRY(declaration, ...) CUTAWAY_TRY_AS(CUTAWAY_JOINED(cutawayResult, __LINE__), declaration, __VA_ARGS__)

/// `CUTAWAY_RETURN_IF_ERROR(writeHeader(file));` returns the error of a Result whose value is not needed.
#define CUTAWAY_RETURN_IF_ERROR(...)                                                                                   \
    if (auto cutawayResult = (__VA_ARGS__); !cutawayResult)                                                            \
    return std::unexpected(std::move(cutawayResult).error())
