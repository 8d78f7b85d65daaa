// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <deque>
#include <map>

namespace cutaway::sequence {

/// One compilation of a log. The backward has the forward's id; which of the two a graph is of shows in the code that
/// is made from it.
class Compilation {
public:
    void addGraph(Step step);
    /// Takes from it what it tells: Inductor's code ends the graphs of a part, others give reasons.
    void addRecord(Record record);
    void setPhases(Part part, std::vector<Phase> phases) { at(part).phases = std::move(phases); }
    /// Takes a symbol that is made, or what is said of one that there is.
    void addSymbol(SizeSymbol symbol);
    /// Notes that Inductor's code of `part` ends here; nothing: only the order of the log tells the part.
    void endCode(std::optional<Part> part);
    /// The log ends here.
    void cut() { m_isCut = true; }
    /// Its parts that there are, the forward first. `isGivenUp`: there is a later attempt.
    std::vector<Sequence> finish(bool isGivenUp);

    Sequence forward;
    std::string frame;       ///< the id without the attempt
    bool isKnown = false;    ///< it is listed, even if it has no graph
    bool isFinished = false; ///< the log tells that its forward part came to an end
    bool hasFailed = false;

private:
    void decide(Part part);
    Part partByOrder() const; ///< the part of the next code, if the code itself does not tell
    Sequence &at(Part part) { return part == Part::Forward ? forward : m_backward; }
    Status statusOf(Part part, bool isGivenUp) const;

    Sequence m_backward;
    std::vector<Step> m_undecided; ///< graphs behind the first one of the backward
    bool m_hasBackward = false, m_hasForwardCode = false, m_isCut = false;
    Part m_lastCode = Part::Forward;
};

/// All compilations of one log.
class Compilations {
public:
    /// The compilation with this id, which is made if it is new. `line`: where it is mentioned.
    Compilation &at(std::optional<int> rank, const std::optional<std::string> &compileId, std::uint64_t line);
    void cutLast();
    /// Adds their sequences with addresses in `source`, in the order of their first graphs.
    void addTo(Document &document, const std::string &source);

private:
    std::map<std::pair<std::optional<int>, std::optional<std::string>>, std::size_t> m_index;
    std::deque<Compilation> m_compilations; ///< a deque, so that references stay
    Compilation *m_last = nullptr;
};

} // namespace cutaway::sequence
