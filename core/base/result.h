// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace cutaway {

/// What kind of failure an Error is; the command line's exit codes follow it.
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

    /// "message (where)"
    std::string text() const { return where.empty() ? message : message + " (" + where + ")"; }
    /// Prefixes the location: in("model.json") gives "model.json, line 3".
    Error in(std::string outer) const
    {
        return {kind, message, where.empty() ? std::move(outer) : outer + ", " + where};
    }
    /// Appends a note to the location: "line 3; s0 = 5".
    Error noting(std::string remark) const
    {
        return {kind, message, where.empty() ? std::move(remark) : where + "; " + remark};
    }
    bool operator==(const Error &) const = default;
};

/// The error form of every library interface. No exception crosses one.
template <class T>
using Result = std::expected<T, Error>;

/// `return unreadable("the graph is missing", "field 7");`
inline std::unexpected<Error> unreadable(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Unreadable, std::move(message), std::move(where)});
}

/// The request itself is wrong: an option, a name.
inline std::unexpected<Error> usageError(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Usage, std::move(message), std::move(where)});
}

/// An external program failed.
inline std::unexpected<Error> backendError(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), std::move(where)});
}

inline std::unexpected<Error> cancelled() { return std::unexpected(Error{ErrorKind::Cancelled, "cancelled", {}}); }

} // namespace cutaway
