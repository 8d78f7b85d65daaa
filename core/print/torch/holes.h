// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Code in which some literals are holes: two blocks of a model whose codes differ in these alone can be one class
/// whose constructor takes them.
namespace cutaway::print {

struct Hole {
    std::string name;      ///< what the literal says: "out_channels"
    std::string prefix;    ///< ", stride=": stands before it
    std::string byDefault; ///< with this value the hole and its prefix may be left out; "": never
    std::string value;     ///< "64"

    bool operator==(const Hole &) const = default;
};

/// The hole as a part of code. No text of it has control characters.
std::string code(const Hole &hole);
/// One that is never left out: "64". Without a name it is called a number.
std::string hole(std::string_view name, std::string value);
/// One that follows others and is left out by default: ", stride=2".
std::string option(std::string_view name, std::string value, std::string_view byDefault);

/// The holes of a piece of code, in order.
std::vector<Hole> holesOf(std::string_view code);
/// Equal for codes that differ in their literals alone.
std::string skeletonOf(std::string_view code);
/// The code with these texts in place of its holes' values; "" in place of one leaves it out.
std::string filled(std::string_view code, std::span<const std::string> values);
/// The code as it is read.
std::string plain(std::string_view code);

} // namespace cutaway::print
