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
    Unreadable, ///< a file cannot be read: missing, damaged, or of a kind that is refused
    Backend,    ///< another program (Graphviz, a plugin) failed
    Cancelled,  ///< the user or a limit stopped the work
};

/// A failure, told to a person: `message` starts lower-case and names what was found and what was wanted;
/// `where` is the place (archive member, byte offset, node, line) or empty.
struct Error {
    ErrorKind kind = ErrorKind::Unreadable;
    std::string message;
    std::string where;

    /// "message (where)"
    std::string text() const { return where.empty() ? message : message + " (" + where + ")"; }
    bool operator==(const Error &) const = default;
};

/// The one error form of every library border. No exception crosses one.
template <class T>
using Result = std::expected<T, Error>;

/// `return unreadable("the graph is missing", "field 7");`
inline std::unexpected<Error> unreadable(std::string message, std::string where = {})
{
    return std::unexpected(Error{ErrorKind::Unreadable, std::move(message), std::move(where)});
}

/// What was asked for is wrong.
inline std::unexpected<Error> usageError(std::string message)
{
    return std::unexpected(Error{ErrorKind::Usage, std::move(message), {}});
}

/// Another program failed.
inline std::unexpected<Error> backendError(std::string message)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), {}});
}

inline std::unexpected<Error> cancelled() { return std::unexpected(Error{ErrorKind::Cancelled, "cancelled", {}}); }

} // namespace cutaway
