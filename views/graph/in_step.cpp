// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/in_step.h"

#include "views/session/comparing.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"

#include <QEvent>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

/// How many of the boxes nearest to the middle are tried; each attempt may have to search the whole other graph.
constexpr int mostTries = 24;

/// Returns which nodes of two sessions correspond. If one of them compares the two models, it has the answer already.
std::shared_ptr<Correspondence> correspondence(Session &a, Session &b)
{
    return a.comparing().other() == &b ? a.comparing().correspondence() : std::make_shared<Correspondence>(a, b);
}

/// Whether two canvases show models that are compared; the selection of one then follows that of the other already.
bool areCompared(Canvas &a, Canvas &b)
{
    return a.session().comparing().other() == &b.session() || b.session().comparing().other() == &a.session();
}

} // namespace

InStep::InStep(QList<Canvas *> canvases, Canvas &leader) : m_canvases(std::move(canvases)), m_leader(&leader)
{
    for (qsizetype second = 1; second < m_canvases.size(); ++second)
        for (qsizetype first = 0; first < second; ++first)
            m_pairs.push_back(correspondence(m_canvases[first]->session(), m_canvases[second]->session()));
    for (const auto &pair : m_pairs)
        connect(pair.get(), &Correspondence::changed, this, [this] { followSelection(*m_leader); });
    for (Canvas *canvas : m_canvases)
        connectTo(*canvas);
    followSelection(leader);
}

InStep::~InStep() = default;

void InStep::connectTo(Canvas &canvas)
{
    canvas.installEventFilter(this);
    connect(&canvas.sight(), &Sight::changed, this, [this, &canvas] { move(canvas); });
    connect(&canvas.sight(), &Sight::moveBegins, this, [this, &canvas] {
        if (std::ranges::none_of(m_canvases, [&](const Canvas *each) { return each != &canvas && each->hasFocus(); }))
            m_leader = &canvas;
    });
    connect(&canvas.session().navigation(), &Navigation::selectionChanged, this,
            [this, &canvas] { followSelection(canvas); });
}

bool InStep::isReady() const
{
    return std::ranges::all_of(m_pairs, [](const auto &pair) { return pair->isThere() && !pair->isBusy(); });
}

bool InStep::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
    case QEvent::NativeGesture:
    case QEvent::KeyPress:
    case QEvent::FocusIn:
        m_leader = static_cast<Canvas *>(watched);
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

const Correspondence &InStep::between(const Canvas &a, const Canvas &b) const
{
    const auto [first, second] = std::minmax({m_canvases.indexOf(&a), m_canvases.indexOf(&b)});
    return *m_pairs[std::size_t(second * (second - 1) / 2 + first)];
}

/// Moves the other canvases after the leader has moved. If another canvas has moved, as for a new picture, it returns
/// to the place of the leader.
void InStep::move(Canvas &canvas)
{
    if (m_isFollowing)
        return;
    if (&canvas == m_leader)
        return followPlace();
    const QScopedValueRollback following(m_isFollowing, true);
    follow(canvas);
}

void InStep::followPlace()
{
    const QScopedValueRollback following(m_isFollowing, true);
    for (Canvas *canvas : m_canvases)
        if (canvas != m_leader)
            follow(*canvas);
}

void InStep::follow(Canvas &canvas) const
{
    if (!m_leader->picture() || !canvas.picture())
        return;
    const double zoom = m_leader->viewport().zoom;
    if (const auto anchor = anchorFor(canvas))
        canvas.lookAt(anchor->there + (m_leader->sight().middle() - anchor->here), zoom);
    else
        canvas.lookAt(canvas.sight().middle(), zoom);
}

/// Returns the selected box if it is visible, or else the box nearest to the middle that the other graph has, too.
std::optional<InStep::Anchor> InStep::anchorFor(const Canvas &canvas) const
{
    const QRectF sight = m_leader->viewport().shownRect(m_leader->size());
    const Picture &picture = *m_leader->picture();
    const auto middleOf = [&](std::uint32_t box) { return toQt(picture.box(box).rect).center(); };
    if (const auto selected = m_leader->selectedBox(); selected && sight.contains(middleOf(*selected)))
        if (const auto anchor = anchorAt(*selected, canvas))
            return anchor;
    using Candidate = std::pair<double, std::uint32_t>;
    std::vector<Candidate> candidates;
    picture.forEachBoxNear(sight, [&](std::uint32_t box) {
        const QPointF way = middleOf(box) - sight.center();
        if (!picture.box(box).open)
            candidates.emplace_back(std::hypot(way.x(), way.y()), box);
    });
    const auto tried = std::min(candidates.size(), std::size_t{mostTries});
    std::ranges::partial_sort(candidates, candidates.begin() + std::ptrdiff_t(tried));
    for (std::size_t i = 0; i < tried; ++i)
        if (const auto anchor = anchorAt(candidates[i].second, canvas))
            return anchor;
    return {};
}

std::optional<InStep::Anchor> InStep::anchorAt(std::uint32_t box, const Canvas &canvas) const
{
    const layout::Box &here = m_leader->picture()->box(box);
    const auto partner = between(*m_leader, canvas).partnerOf(m_leader->session(), toSelection(here.subject));
    const ir::Function &drawn = canvas.session().drawing().function();
    const auto subject = partner && isThere(drawn, *partner) ? subjectOf(drawn, *partner) : std::nullopt;
    const auto there = subject ? canvas.highlighting().visibleBox(*subject) : std::nullopt;
    if (!there)
        return {};
    return Anchor{toQt(here.rect).center(), toQt(canvas.picture()->box(*there).rect).center()};
}

void InStep::followSelection(Canvas &from)
{
    if (m_isFollowing)
        return;
    {
        const QScopedValueRollback following(m_isFollowing, true);
        const Selection selection = from.session().navigation().selection();
        for (Canvas *canvas : m_canvases)
            if (canvas != &from && !areCompared(from, *canvas) && between(from, *canvas).isThere())
                canvas->session().navigation().select(
                    between(from, *canvas).partnerOf(from.session(), selection).value_or(Selection{}));
    }
    followPlace();
}

} // namespace cutaway::views
