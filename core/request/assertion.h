// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::request {

/// The unit of a figure, which decides how its limits are written. Names: the figure is no number but a set of names.
enum class FigureUnit : std::uint8_t { Seconds, Bytes, Count, Names };

/// A figure that can be asserted.
struct NamedFigure {
    std::string_view name;
    FigureUnit unit;
};

/// A condition on a figure: "time<5ms", "params==25557032", "ops!~Loop".
struct Assertion {
    enum class Relation : std::uint8_t { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, Has, HasNot };
    NamedFigure figure;
    Relation relation = Relation::Less;
    double limit = 0; ///< seconds, bytes or a count
    std::string glob; ///< the pattern of a condition Has or HasNot
    std::string text; ///< the assertion as the user wrote it
};

/// The value of a figure, or its names. If `whyUnknown` is not empty, there is no value, and there may be more names.
struct Figure {
    std::optional<double> value;
    std::vector<std::string> names; ///< the names, sorted, each once
    std::string whyUnknown;
};

using Figures = std::map<std::string_view, Figure>;

/// Parses each of the texts: conditions with commas between them. A condition is a figure that is one of `known`, then
/// one of < <= > >= == != and a limit. The limit of a time is in ns, us, ms, s; of memory in B, kB, MB, GB, TB, KiB,
/// MiB, GiB, TiB; a count may have k, M, G, T. A condition on names has ~ or !~ and a glob. Errors (Usage): what is
/// malformed or not known, with its position.
Result<std::vector<Assertion>> parseAssertions(std::span<const std::string> texts, std::span<const NamedFigure> known);

/// Returns a message for each assertion that does not hold or cannot be decided: "time<5ms does not hold: it is 7.1
/// ms", "flops<=8G is not known: it is at least 4,096". Names are compared with a glob in every spelling:
/// aten::relu_.default also as relu_, relu_.default and aten::relu_.
std::vector<std::string> broken(std::span<const Assertion> assertions, const Figures &figures);

} // namespace cutaway::request
