// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/matching.h"

#include "core/diff/alignment.h"
#include "core/diff/fingerprints.h"
#include "core/ir/context.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>
#include <unordered_map>

namespace cutaway::diff {

namespace {

constexpr std::size_t strict = 0, loose = std::tuple_size_v<Labels> - 1;

/// Points for each property that agrees, which add up to a score. A pair needs an equal kind and some more.
namespace worth {
constexpr int kind = 1, label = 2, all = 2, neighbours = 1, path = 3, name = 1;
constexpr int enough = 4;
constexpr int most = kind + static_cast<int>(loose) * label + 4 * all + 4 * neighbours + path + name;
} // namespace worth

/// One side in the view of a stage.
class View {
public:
    View(Subject &subject, const Matching &matching, Stage stage)
        : m_subject(subject),
          m_matching(matching),
          m_skeleton(contracted(subject.outline, matching.isLookedAt(subject, stage)))
    {
        for (const std::uint32_t item : m_skeleton.items)
            m_labels.push_back(subject.labeller.labels(subject.outline.items[item], stage));
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_skeleton.items.size()); }
    std::uint32_t itemAt(std::uint32_t place) const { return m_skeleton.items[place]; }
    const Labels &labelsAt(std::uint32_t place) const { return m_labels[place]; }
    Hash path(std::uint32_t place) const { return m_subject.paths[itemAt(place)]; }
    Hash name(std::uint32_t place) const { return m_subject.names[itemAt(place)]; }
    bool isFree(std::uint32_t place) const { return !m_matching.isMatched(m_subject, itemAt(place)); }

    /// Returns the fingerprints from labels of this strictness; a matched item has the label of its pair.
    std::vector<Fingerprint> prints(std::size_t strictness) const
    {
        std::vector<Hash> labels(size());
        std::vector<bool> isFixed(size());
        for (std::uint32_t i = 0; i < size(); ++i) {
            isFixed[i] = !isFree(i);
            labels[i] = isFixed[i] ? mixed(0x9A12, pairNumber(i)) : m_labels[i][strictness];
        }
        const auto order = strictness == strict ? OperandOrder::Counts : OperandOrder::Any;
        return fingerprints(m_skeleton, labels, isFixed, order);
    }

private:
    /// Returns the item of A of the pair that the item at a position belongs to.
    std::uint32_t pairNumber(std::uint32_t place) const
    {
        const std::uint32_t item = itemAt(place);
        return &m_subject == &m_matching.a() ? item : m_matching.partnerOfB(item)->item;
    }

    Subject &m_subject;
    const Matching &m_matching;
    Skeleton m_skeleton;
    std::vector<Labels> m_labels; ///< by position in the skeleton
};

/// The part of the surroundings that identifies an item.
enum class Look { Around, Above, Below };

std::unordered_map<Hash, std::vector<std::uint32_t>> classes(const View &view, std::size_t strictness, Look look)
{
    std::unordered_map<Hash, std::vector<std::uint32_t>> byPrint;
    const std::vector<Fingerprint> prints = view.prints(strictness);
    for (std::uint32_t i = 0; i < view.size(); ++i)
        if (view.isFree(i))
            byPrint[look == Look::Above       ? prints[i].above
                        : look == Look::Below ? prints[i].below
                                              : mixed(prints[i].above, prints[i].below)]
                .push_back(i);
    return byPrint;
}

/// Pairs items with the same surroundings on both sides. Items of one side that have the same surroundings are
/// interchangeable, and are paired in order.
void matchSurroundings(Matching &matching, const View &a, const View &b, std::size_t strictness, Look look)
{
    const double score = (look == Look::Around ? 1.0 : 0.9) - 0.02 * static_cast<double>(strictness);
    const auto classesOfB = classes(b, strictness, look);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const auto &[print, ofA] : classes(a, strictness, look))
        if (const auto ofB = classesOfB.find(print); ofB != classesOfB.end() && ofB->second.size() == ofA.size())
            for (std::size_t i = 0; i < ofA.size(); ++i)
                found.emplace_back(a.itemAt(ofA[i]), b.itemAt(ofB->second[i]));
    for (const auto &[itemA, itemB] : found)
        matching.pair(itemA, itemB, Reason::Surroundings, score);
}

/// Returns the longest chain of matched items whose partners are in the same order, by patience sorting.
std::vector<std::pair<std::uint32_t, std::uint32_t>> landmarks(const Matching &matching, const View &a, const View &b)
{
    std::vector<std::uint32_t> placeInB(matching.b().outline.items.size(), b.size());
    for (std::uint32_t i = 0; i < b.size(); ++i)
        placeInB[b.itemAt(i)] = i;
    struct Card {
        std::uint32_t a, b;
        std::optional<std::size_t> before;
    };
    std::vector<Card> cards;
    std::vector<std::size_t> tops; // by length: the last pair of the best chain of that length
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        const auto &partner = matching.partnerOfA(a.itemAt(i));
        if (!partner || placeInB[partner->item] == b.size())
            continue;
        const std::uint32_t k = placeInB[partner->item];
        const auto pile = std::ranges::lower_bound(tops, k, {}, [&](std::size_t card) { return cards[card].b; });
        cards.push_back({i, k, pile == tops.begin() ? std::nullopt : std::optional(*std::prev(pile))});
        if (pile == tops.end())
            tops.push_back(cards.size() - 1);
        else
            *pile = cards.size() - 1;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> chain;
    for (auto card = tops.empty() ? std::nullopt : std::optional(tops.back()); card; card = cards[*card].before)
        chain.emplace_back(cards[*card].a, cards[*card].b);
    std::ranges::reverse(chain);
    return chain;
}

/// Aligns the remaining items between two landmarks, in order.
class Gaps {
public:
    Gaps(Matching &matching, const View &a, const View &b)
        : m_matching(matching),
          m_a(a),
          m_b(b),
          m_strictA(a.prints(strict)),
          m_strictB(b.prints(strict)),
          m_looseA(a.prints(loose)),
          m_looseB(b.prints(loose))
    {
    }

    void match()
    {
        std::uint32_t a = 0, b = 0;
        auto marks = landmarks(m_matching, m_a, m_b);
        marks.emplace_back(m_a.size(), m_b.size());
        for (const auto &[nextA, nextB] : marks) {
            matchGap(freeOf(m_a, a, nextA), freeOf(m_b, b, nextB));
            a = nextA + 1;
            b = nextB + 1;
        }
    }

private:
    static std::vector<std::uint32_t> freeOf(const View &view, std::uint32_t begin, std::uint32_t end)
    {
        std::vector<std::uint32_t> places;
        for (; begin < end; ++begin)
            if (view.isFree(begin))
                places.push_back(begin);
        return places;
    }

    void matchGap(const std::vector<std::uint32_t> &ofA, const std::vector<std::uint32_t> &ofB)
    {
        const auto fitAt = [&](std::uint32_t i, std::uint32_t k) { return fit(ofA[i], ofB[k]); };
        for (const auto &[i, k] :
             aligned(static_cast<std::uint32_t>(ofA.size()), static_cast<std::uint32_t>(ofB.size()), fitAt))
            m_matching.pair(m_a.itemAt(ofA[i]), m_b.itemAt(ofB[k]), Reason::Order,
                            static_cast<double>(fitAt(i, k)) / worth::most);
    }

    int fit(std::uint32_t a, std::uint32_t b) const
    {
        const Labels &ofA = m_a.labelsAt(a), &ofB = m_b.labelsAt(b);
        if (ofA[loose] != ofB[loose])
            return 0;
        int sum = worth::kind;
        for (std::size_t i = 0; i < loose; ++i)
            sum += ofA[i] == ofB[i] ? worth::label : 0;
        sum += agreement(m_strictA[a], m_strictB[b]) + agreement(m_looseA[a], m_looseB[b]);
        sum += m_a.path(a) != 0 && m_a.path(a) == m_b.path(b) ? worth::path : 0;
        sum += m_a.name(a) != 0 && m_a.name(a) == m_b.name(b) ? worth::name : 0;
        return sum < worth::enough ? 0 : sum;
    }

    static int agreement(const Fingerprint &a, const Fingerprint &b)
    {
        return (a.above == b.above ? worth::all : 0) + (a.below == b.below ? worth::all : 0)
            + (a.producers == b.producers ? worth::neighbours : 0)
            + (a.consumers == b.consumers ? worth::neighbours : 0);
    }

    Matching &m_matching;
    const View &m_a, &m_b;
    std::vector<Fingerprint> m_strictA, m_strictB, m_looseA, m_looseB;
};

/// Pairs inputs with inputs, and outputs with outputs, by their index.
void pairEnds(Matching &matching, Role role)
{
    const auto endsOf = [&](const Subject &side) {
        std::vector<std::uint32_t> ends;
        for (std::uint32_t i = 0; i < side.outline.items.size(); ++i)
            if (side.outline.items[i].role == role)
                ends.push_back(i);
        return ends;
    };
    for (const auto &[a, b] : std::views::zip(endsOf(matching.a()), endsOf(matching.b())))
        matching.pair(a, b, Reason::Place, 1);
}

} // namespace

Subject::Subject(const Side &given, const Options &options)
    : side(given),
      outline(outlineOf(given)),
      labeller(given),
      paths(outline.items.size()),
      names(outline.items.size())
{
    const ir::Context &context = side.graph().context();
    for (std::size_t i = 0; options.useNames && i < outline.items.size(); ++i) {
        if (!outline.items[i].node)
            continue;
        const ir::NodeRef &node = *outline.items[i].node;
        const std::string_view path = context.text(node.scope().path), name = node.name();
        paths[i] = path.empty() ? 0 : hashOf(path);
        names[i] = name.empty() ? 0 : hashOf(name);
    }
}

Matching::Matching(Subject &a, Subject &b)
    : m_a(a),
      m_b(b),
      m_ofA(a.outline.items.size()),
      m_ofB(b.outline.items.size()),
      m_absorbedA(a.outline.items.size()),
      m_absorbedB(b.outline.items.size())
{
    pairEnds(*this, Role::Input);
    pairEnds(*this, Role::Output);
}

void Matching::pair(std::uint32_t a, std::uint32_t b, Reason reason, double score)
{
    m_ofA[a] = {b, reason, score};
    m_ofB[b] = {a, reason, score};
}

void Matching::separate(std::uint32_t a)
{
    m_ofB[m_ofA[a]->item].reset();
    m_ofA[a].reset();
}

std::vector<std::uint32_t> Matching::lastItems(const Subject &side) const
{
    const auto &absorbed = absorbedOf(side);
    std::vector<std::uint32_t> last(absorbed.size());
    std::ranges::iota(last, 0u);
    for (std::uint32_t i = 0; i < absorbed.size(); ++i)
        if (absorbed[i])
            last[*absorbed[i]] = i;
    return last;
}

void Matching::absorb(const Subject &side, std::uint32_t item, std::uint32_t into)
{
    (&side == &m_a ? m_absorbedA : m_absorbedB)[item] = into;
}

void Matching::run(Stage stage)
{
    const View a(m_a, *this, stage), b(m_b, *this, stage);
    for (std::size_t strictness = strict; strictness <= loose; ++strictness)
        matchSurroundings(*this, a, b, strictness, Look::Around);
    Gaps(*this, a, b).match();
}

void Matching::runStrictly()
{
    const View a(m_a, *this, Stage::Everything), b(m_b, *this, Stage::Everything);
    for (const Look look : {Look::Around, Look::Above, Look::Below})
        matchSurroundings(*this, a, b, strict, look);
}

namespace {

/// Whether an item cannot be folded into another one. A batch norm after the only convolution that it reads can be.
bool standsForItself(const Subject &side, const Item &item)
{
    if (ops::categoryOf(*item.node) != ops::Category::Normalization || item.producers.size() != 1)
        return true;
    const Item &producer = side.outline.items[item.producers[0]];
    return !producer.node || producer.role != Role::Compute
        || ops::categoryOf(*producer.node) != ops::Category::Convolution;
}

} // namespace

std::vector<bool> Matching::isLookedAt(const Subject &side, Stage stage) const
{
    std::vector<bool> isIn(side.outline.items.size());
    for (std::size_t i = 0; i < isIn.size(); ++i) {
        const Item &item = side.outline.items[i];
        if (!item.node || absorbedOf(side)[i])
            continue;
        if (stage == Stage::Weighted)
            isIn[i] = item.role == Role::Compute && !item.weights.empty() && standsForItself(side, item);
        else
            isIn[i] = stage == Stage::Everything || item.role == Role::Compute || item.role == Role::Data;
    }
    return isIn;
}

} // namespace cutaway::diff
