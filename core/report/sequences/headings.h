// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <string>

namespace cutaway::report {

/// "model.py:13"; the file alone where the line is not known.
std::string placeText(const std::string &file, const std::optional<std::uint64_t> &line);

/// "rank 1, 0/1 backward"; for graphs that lie in a folder below the one that is listed, that folder's name.
std::string idText(const sequence::Sequence &sequence, const sequence::Document &document);

/// "0/1  forward  model.py:13  [restarted]"
std::string headingOf(const sequence::Sequence &sequence, const sequence::Document &document);

/// The first line of a text that says something: not one that ends in a colon, as torch puts before its reasons.
std::string firstLine(std::string_view text);

} // namespace cutaway::report
