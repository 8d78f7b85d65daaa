// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <string>

namespace cutaway::report {

/// "model.py:13"; the file alone where the line is not known.
std::string codePlaceText(const std::string &file, const std::optional<std::uint64_t> &line);

/// "rank 1, 0/1 backward"; for graphs that lie in a folder below the one that is listed, that folder's name.
std::string idText(const sequence::Sequence &sequence, const sequence::Document &document);

/// "0/1  forward  model.py:13  [restarted]"
std::string headingOf(const sequence::Sequence &sequence, const sequence::Document &document);

/// "s77 is L['x'].size()[0], 8 at first, in [2, int_oo]; fixed to 8 (range_refined_to_singleton) at model.py:15"
std::string symbolText(const sequence::SizeSymbol &symbol);

/// "frame 43.3 s, backend 42.1 s, inductor 36.9 s"; parts lie within others. "" where no time is known.
std::string phasesText(const std::vector<sequence::Phase> &phases);

/// "fx_graph miss, aotautograd hit"
std::string cachesText(const sequence::Sequence &sequence);

/// "warning: run.log:12: this record is damaged"
std::string diagnosticText(const sequence::Diagnostic &diagnostic);

/// The first line of a text that says something: not one that ends in a colon, as torch puts before its reasons.
std::string firstLine(std::string_view text);

} // namespace cutaway::report
