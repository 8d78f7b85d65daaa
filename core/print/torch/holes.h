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
    std::string prefix;    ///< ", stride=": stands before it
    std::string byDefault; ///< with this value the hole and its prefix may be left out; "": never
    std::string value;     ///< "64"

    bool operator==(const Hole &) const = default;
};

/// The hole as a part of code. Its texts have no control characters.
std::string code(const Hole &hole);
/// The code of a hole that is never left out: "64". Without a name it is called a number.
std::string hole(std::string_view name, std::string value);
/// The code of a hole that follows others and is left out with its default: ", stride=2".
std::string option(std::string_view name, std::string value, std::string_view byDefault);

/// The holes of a piece of code, in order.
std::vector<Hole> holesOf(std::string_view code);
/// A text that is equal for codes which differ only in their literals.
std::string skeletonOf(std::string_view code);
/// The code with these texts in place of its holes' values; "" in place of one leaves it out.
std::string filled(std::string_view code, std::span<const std::string> values);
/// The code with the values of its holes, for reading.
std::string plain(std::string_view code);

} // namespace cutaway::print
