// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <string>

namespace cutaway::report {

/// Returns "model.py:13"; the file alone if the line is not known.
std::string codePlaceText(const std::string &file, const std::optional<std::uint64_t> &line);

/// Returns "rank 1, 0/1 backward". For graphs in a folder below the listed one, it contains that folder's name.
std::string idText(const sequence::Sequence &sequence, const sequence::Document &document);

/// Returns "0/1  forward  model.py:13  [restarted]".
std::string headingOf(const sequence::Sequence &sequence, const sequence::Document &document);

/// Returns "s77 is L['x'].size()[0], 8 at first, in [2, int_oo]; fixed to 8 (range_refined_to_singleton) at
/// model.py:15".
std::string symbolText(const sequence::SizeSymbol &symbol);

/// Returns "frame 43.3 s, backend 42.1 s, inductor 36.9 s"; the time of a phase includes the phases within it. "" if no
/// time is known.
std::string phasesText(const std::vector<sequence::Phase> &phases);

/// Returns "fx_graph miss, aotautograd hit".
std::string cachesText(const sequence::Sequence &sequence);

/// Returns "warning: run.log:12: this record is damaged".
std::string diagnosticText(const sequence::Diagnostic &diagnostic);

/// Returns the first line that is not empty and does not end in a colon, as the line before torch's reasons does.
std::string firstLine(std::string_view text);

} // namespace cutaway::report
