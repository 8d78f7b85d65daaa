// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

#include <boost/container/small_vector.hpp>
#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace cutaway::ops {

using Facts = boost::container::small_vector<Fact, 1>;

/// Why a rule does not give an answer.
struct Doubt {
    enum class Kind : std::uint8_t {
        Unknown, ///< the result does not follow from the known facts of the arguments
        Wrong,   ///< the file asks for something impossible: a runtime would refuse the node
    };
    Kind kind;
    std::string reason; ///< "axes unknown", "cannot broadcast 3 with 4"
};

/// A value that a rule derives, or the doubt why it cannot derive it.
template <class T>
using OrDoubt = std::expected<T, Doubt>;

/// The answer to a demand: success if it is met as far as is known, or else the doubt why it is not.
using Met = OrDoubt<void>;

/// Returns the doubt that a fact cannot be derived, with the reason: "axes unknown".
inline std::unexpected<Doubt> unknown(std::string reason)
{
    return std::unexpected(Doubt{Doubt::Kind::Unknown, std::move(reason)});
}
/// Returns the doubt that the file asks for something impossible: "cannot broadcast 3 with 4".
inline std::unexpected<Doubt> wrong(std::string message)
{
    return std::unexpected(Doubt{Doubt::Kind::Wrong, std::move(message)});
}

/// The answer of a shape rule: the facts of the results and, if these are incomplete, a doubt that says why.
struct Answer {
    Facts facts; ///< one fact per result; further results are unknown
    std::optional<Doubt> doubt;

    Answer() = default;
    Answer(std::initializer_list<Fact> known) : facts(known) { }
    // NOLINTBEGIN(google-explicit-constructor): facts alone are an answer, and so is a doubt alone
    Answer(Facts known) : facts(std::move(known)) { }
    Answer(std::unexpected<Doubt> why) : doubt(std::move(why).error()) { }
    // NOLINTEND(google-explicit-constructor)
    Answer(Facts known, std::unexpected<Doubt> why) : facts(std::move(known)), doubt(std::move(why).error()) { }
    Answer(Facts known, std::optional<Doubt> why) : facts(std::move(known)), doubt(std::move(why)) { }

    bool isWrong() const { return doubt && doubt->kind == Doubt::Kind::Wrong; }
};

} // namespace cutaway::ops
