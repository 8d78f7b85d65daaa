// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <deque>
#include <map>

namespace cutaway::sequence {

/// A compilation of a log. Forward and backward have the same id; the code that is made from a graph shows which of the
/// two it belongs to.
class Compilation {
public:
    void addGraph(Step step);
    /// Adds a record. Inductor's code ends the graphs of a part; other records may give the reason of a recompilation
    /// or of a graph break.
    void addRecord(Record record);
    void setPhases(Part part, std::vector<Phase> phases) { at(part).phases = std::move(phases); }
    /// Adds a symbol, or further facts about a symbol that was added before.
    void addSymbol(SizeSymbol symbol);
    /// Notes that Inductor's code of `part` ends here. If `part` is nothing, it is found by the order of the log.
    void endCode(std::optional<Part> part);
    /// Notes that the log ends here.
    void cut() { m_isCut = true; }
    /// Returns the parts that exist, the forward first. `isGivenUp`: there is a later attempt.
    std::vector<Sequence> finish(bool isGivenUp);

    Sequence forward;
    std::string frame;       ///< the id without the attempt
    bool isKnown = false;    ///< whether it is listed even without a graph
    bool isFinished = false; ///< whether the log contains the end of its forward part
    bool hasFailed = false;

private:
    void decide(Part part);
    Part partByOrder() const; ///< returns the part of the next code, for code that does not name its part
    Sequence &at(Part part) { return part == Part::Forward ? forward : m_backward; }
    Status statusOf(Part part, bool isGivenUp) const;

    Sequence m_backward;
    std::vector<Step> m_undecided; ///< graphs after the first graph of the backward whose part is not known yet
    bool m_hasBackward = false, m_hasForwardCode = false, m_isCut = false;
    Part m_lastCode = Part::Forward;
};

/// All compilations of one log.
class Compilations {
public:
    /// Returns the compilation with this id, which is made if it is new. `line`: where it is mentioned.
    Compilation &at(std::optional<int> rank, const std::optional<std::string> &compileId, std::uint64_t line);
    void cutLast();
    /// Adds the sequences of all compilations, with addresses in `source`, in the order of their first graphs.
    void addTo(Document &document, const std::string &source);

private:
    std::map<std::pair<std::optional<int>, std::optional<std::string>>, std::size_t> m_index;
    std::deque<Compilation> m_compilations; ///< a deque, so that references stay valid
    Compilation *m_last = nullptr;
};

} // namespace cutaway::sequence
