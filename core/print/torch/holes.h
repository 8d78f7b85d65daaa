// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Holes are literals in code: two blocks of a model whose codes differ only in holes can be one class whose
/// constructor takes their values.
namespace cutaway::print {

struct Hole {
    std::string name;      ///< the literal's meaning: "out_channels"
    std::string prefix;    ///< the text before the hole: ", stride="
    std::string byDefault; ///< the value with which the hole and its prefix are left out; "": they never are
    std::string value;     ///< the code of the literal: "64"

    bool operator==(const Hole &) const = default;
};

/// Returns the hole as a part of code. The members of `hole` must not contain control characters.
std::string code(const Hole &hole);
/// Returns the code of a hole that is never left out: "64". A hole without a name gets a number as its name.
std::string hole(std::string_view name, std::string value);
/// Returns the code of a hole that follows others and is left out if it has its default: ", stride=2".
std::string option(std::string_view name, std::string value, std::string_view byDefault);

/// Returns the holes of a piece of code, in order.
std::vector<Hole> holesOf(std::string_view code);
/// Returns a text that is equal for codes which differ only in their literals.
std::string skeletonOf(std::string_view code);
/// Returns the code with these texts in place of its holes; "" leaves a hole out.
std::string filled(std::string_view code, std::span<const std::string> values);
/// Returns the code with the values of its holes, for reading.
std::string plain(std::string_view code);

} // namespace cutaway::print
