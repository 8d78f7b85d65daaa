// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/comparison/pairing.h"

#include "core/sequence/limits.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace cutaway::sequence {

namespace {

/// Returns the name of a function without a line number. A function that resumes after a graph break has the line of
/// the break in its name; an edit above moves it.
std::string_view withoutLine(std::string_view function)
{
    constexpr std::string_view before = "_at_";
    const std::size_t at = function.rfind(before);
    const bool isLine = at != std::string_view::npos && at + before.size() < function.size()
        && std::ranges::all_of(function.substr(at + before.size()), [](unsigned char c) { return std::isdigit(c); });
    return isLine ? function.substr(0, at) : function;
}

/// Returns the name of a sequence's file without its path: the paths of a project differ between machines.
std::string fileName(const Sequence &sequence) { return std::filesystem::path(sequence.file).filename().string(); }

using Key = std::tuple<std::string, std::string, std::optional<std::uint64_t>, std::optional<std::string>>;

/// Returns where the compiled code is in its project. An edit above it moves the line.
Key placeOf(const Sequence &sequence)
{
    return {std::string(withoutLine(sequence.function)), fileName(sequence), sequence.line, {}};
}
Key fileOf(const Sequence &sequence)
{
    return {std::string(withoutLine(sequence.function)), fileName(sequence), {}, {}};
}
Key functionOf(const Sequence &sequence) { return {std::string(withoutLine(sequence.function)), {}, {}, {}}; }

Key withId(Key key, const Sequence &sequence)
{
    std::get<3>(key) = sequence.compileId;
    return key;
}

/// Returns the number of an attempt that was given up; nothing for one that was kept. A side may need more attempts
/// than the other.
std::optional<int> attemptOf(const Sequence &sequence)
{
    return sequence.status == Status::Restarted ? std::optional(sequence.attempt) : std::nullopt;
}

class SequencePairs {
public:
    SequencePairs(const Document &a, const Document &b)
        : m_a(a.sequences),
          m_b(b.sequences),
          m_partners(m_a.size()),
          m_isTaken(m_b.size())
    {
    }

    std::vector<Paired> find()
    {
        const auto hasFunction = [](const Sequence &sequence) { return !sequence.function.empty(); };
        const auto isAny = [](const Sequence &) { return true; };
        for (const auto keyOf : {placeOf, fileOf, functionOf}) {
            take([&](const Sequence &each) { return withId(keyOf(each), each); }, hasFunction, hasFunction);
            take(keyOf, hasFunction, hasFunction);
        }
        const auto idOf = [](const Sequence &each) { return withId({}, each); };
        take(idOf, std::not_fn(hasFunction), isAny);
        take(idOf, isAny, std::not_fn(hasFunction));
        takeOnly();
        std::vector<Paired> pairs;
        for (std::size_t i = 0; i < m_a.size(); ++i)
            pairs.push_back({i, m_partners[i]});
        for (std::size_t k = 0; k < m_b.size(); ++k)
            if (!m_isTaken[k])
                pairs.push_back({{}, k});
        return pairs;
    }

private:
    /// Pairs the sequences of each key in their order, if they have the same part and rank, and both were kept, or both
    /// are the same attempt.
    template <class KeyOf, class IsOfA, class IsOfB>
    void take(const KeyOf &keyOf, const IsOfA &isOfA, const IsOfB &isOfB)
    {
        const auto wholeKey = [&](const Sequence &each) {
            return std::tuple(each.part, each.rank, attemptOf(each), keyOf(each));
        };
        std::map<decltype(wholeKey(m_a.front())), std::deque<std::size_t>> left;
        for (std::size_t k = 0; k < m_b.size(); ++k)
            if (!m_isTaken[k] && isOfB(m_b[k]))
                left[wholeKey(m_b[k])].push_back(k);
        for (std::size_t i = 0; i < m_a.size(); ++i) {
            if (m_partners[i] || !isOfA(m_a[i]))
                continue;
            const auto found = left.find(wholeKey(m_a[i]));
            if (found == left.end() || found->second.empty())
                continue;
            take(i, found->second.front());
            found->second.pop_front();
        }
    }

    void take(std::size_t i, std::size_t k)
    {
        m_partners[i] = k;
        m_isTaken[k] = true;
    }

    /// Pairs the only compilations of both sides: a user who names one for each means these two.
    void takeOnly()
    {
        for (const Part part : {Part::Forward, Part::Backward}) {
            const auto isOfPart = [&](const Sequence &each) { return each.part == part; };
            if (std::ranges::count_if(m_a, isOfPart) != 1 || std::ranges::count_if(m_b, isOfPart) != 1)
                continue;
            const auto i = static_cast<std::size_t>(std::ranges::find_if(m_a, isOfPart) - m_a.begin());
            const auto k = static_cast<std::size_t>(std::ranges::find_if(m_b, isOfPart) - m_b.begin());
            if (!m_partners[i] && !m_isTaken[k])
                take(i, k);
        }
    }

    const std::vector<Sequence> &m_a, &m_b;
    std::vector<std::optional<std::size_t>> m_partners; ///< by position in A
    std::vector<bool> m_isTaken;                        ///< by position in B
};

std::set<std::string_view> namesOf(const Sequence &sequence)
{
    std::set<std::string_view> names;
    for (const Step &step : sequence.steps)
        names.insert(step.name);
    return names;
}

/// Finds the best alignment of two lists, by dynamic programming over all pairs of positions.
class StepPairs {
public:
    StepPairs(const Sequence &a, const Sequence &b) : m_a(a), m_b(b), m_namesA(namesOf(a)), m_namesB(namesOf(b)) { }

    std::vector<Paired> find()
    {
        if (m_b.steps.size() > limits::maxStepPairs / std::max<std::size_t>(m_a.steps.size(), 1))
            return byPosition();
        m_best.resize((m_a.steps.size() + 1) * (m_b.steps.size() + 1));
        for (std::size_t i = m_a.steps.size(); i-- > 0;)
            for (std::size_t k = m_b.steps.size(); k-- > 0;)
                best(i, k) = std::max({best(i + 1, k), best(i, k + 1), best(i + 1, k + 1) + likeness(i, k)});
        std::vector<Paired> pairs;
        std::size_t i = 0, k = 0;
        while (i < m_a.steps.size() && k < m_b.steps.size()) {
            const std::uint32_t score = likeness(i, k);
            if (score > 0 && best(i, k) == best(i + 1, k + 1) + score)
                pairs.push_back({i++, k++});
            else if (best(i, k) == best(i + 1, k))
                pairs.push_back({i++, {}});
            else
                pairs.push_back({{}, k++});
        }
        for (; i < m_a.steps.size(); ++i)
            pairs.push_back({i, {}});
        for (; k < m_b.steps.size(); ++k)
            pairs.push_back({{}, k});
        return pairs;
    }

private:
    std::vector<Paired> byPosition() const
    {
        std::vector<Paired> pairs;
        for (std::size_t i = 0; i < std::max(m_a.steps.size(), m_b.steps.size()); ++i) {
            const bool isInA = i < m_a.steps.size(), isInB = i < m_b.steps.size();
            if (isInA && isInB && likeness(i, i) > 0) {
                pairs.push_back({i, i});
                continue;
            }
            if (isInA)
                pairs.push_back({i, {}});
            if (isInB)
                pairs.push_back({{}, i});
        }
        return pairs;
    }

    std::uint32_t &best(std::size_t i, std::size_t k) { return m_best[i * (m_b.steps.size() + 1) + k]; }

    std::uint32_t likeness(std::size_t i, std::size_t k) const
    {
        constexpr std::uint32_t sameName = 4, sameStage = 1;
        const Step &a = m_a.steps[i], &b = m_b.steps[k];
        if (a.name == b.name)
            return sameName;
        const bool isKnown = m_namesB.contains(a.name) || m_namesA.contains(b.name);
        const bool isOneStage = a.kind == b.kind && a.kind != Kind::Pass && a.direction == b.direction;
        return isOneStage && !isKnown ? sameStage : 0;
    }

    const Sequence &m_a, &m_b;
    std::set<std::string_view> m_namesA, m_namesB;
    std::vector<std::uint32_t> m_best; ///< by pair of positions: the best score of the steps from there on
};

} // namespace

std::vector<Paired> pairSequences(const Document &a, const Document &b) { return SequencePairs(a, b).find(); }

std::vector<Paired> pairSteps(const Sequence &a, const Sequence &b) { return StepPairs(a, b).find(); }

} // namespace cutaway::sequence
