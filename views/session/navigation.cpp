// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/navigation.h"

#include "core/ir/context.h"
#include "core/ir/scope_tree.h"
#include "views/parts/edit.h"
#include "views/session/document.h"
#include "views/session/drawing.h"

#include <QElapsedTimer>
#include <QScopedValueRollback>
#include <QUndoCommand>
#include <algorithm>

namespace cutaway::views {
namespace {

/// How many boxes fit into a window at a readable size: at first, modules are opened up to about that number.
constexpr std::size_t firstBoxes = 20;

Drawing::Choice always(layout::Expansion expansion)
{
    return [expansion = std::move(expansion)](const auto &...) { return expansion; };
}

} // namespace

/// A change of which boxes of a function are open. Undo and redo also restore the position of the graph. Changes of one
/// kind that follow each other within a second are undone together.
class Navigation::Opening : public QUndoCommand {
public:
    Opening(Navigation &navigation, Edited what, const QString &text, Target target,
            std::optional<layout::Subject> anchor)
        : QUndoCommand(text),
          m_navigation(navigation),
          m_what(what),
          m_function(navigation.m_document.functionId()),
          m_before(navigation.m_expansion),
          m_placeBefore(navigation.m_place),
          m_after(std::move(target)),
          m_anchor(anchor)
    {
        m_made.start();
    }

    void undo() override
    {
        m_placeAfter = m_navigation.m_place;
        goTo(m_before, m_placeBefore);
    }

    void redo() override
    {
        if (m_isDone)
            return goTo(m_after, m_placeAfter);
        m_isDone = true;
        m_navigation.draw(m_after, m_anchor);
    }

    int id() const override { return -2 - int(m_what); } // class Edit uses the ids from -1 on

    bool mergeWith(const QUndoCommand *later) override
    {
        constexpr qint64 closeMs = 1000;
        const auto &next = static_cast<const Opening &>(*later);
        if (next.m_function != m_function || m_made.msecsTo(next.m_made) > closeMs)
            return false;
        m_after = next.m_after;
        m_made = next.m_made;
        const auto *after = std::get_if<layout::Expansion>(&m_after);
        setObsolete(after && after->open == m_before.open && after->everything == m_before.everything);
        return true;
    }

private:
    void goTo(const Target &target, const std::optional<Place> &place)
    {
        m_navigation.m_document.setFunction(m_function);
        m_navigation.draw(target);
        if (place)
            emit m_navigation.placeRequested(*place);
    }

    Navigation &m_navigation;
    Edited m_what;
    ir::FunctionId m_function;
    layout::Expansion m_before;
    std::optional<Place> m_placeBefore, m_placeAfter;
    Target m_after;
    /// The box that keeps its position on the screen when the change is first made; nothing if there is none.
    std::optional<layout::Subject> m_anchor;
    bool m_isDone = false;
    QElapsedTimer m_made;
};

Navigation::Navigation(Document &document, Drawing &drawing) : m_document(document), m_drawing(drawing)
{
    connect(&document, &Document::replaced, this, &Navigation::drop);
    connect(&document, &Document::functionChanged, this, &Navigation::start);
    connect(&document, &Document::stateChanged, this, [this] { m_drawing.drawAnalysed(always(m_expansion)); });
    // The selection may have other properties in another state, so views have to read them again.
    for (const auto change : {&Document::functionChanged, &Document::stateChanged})
        connect(&document, change, this, &Navigation::selectionChanged);
    connect(&drawing, &Drawing::diagramChanged, this, &Navigation::takeDiagram);
    connect(&drawing, &Drawing::drawn, this, [this] {
        if (m_toCentre)
            emit centreRequested(*std::exchange(m_toCentre, std::nullopt));
    });
    connect(&drawing, &Drawing::cancelled, this, [this] {
        m_expansion = m_drawing.expansion();
        m_toCentre.reset();
    });
}

void Navigation::start()
{
    m_drawing.drawAnalysed([](const ir::Graph &drawn, const layout::Outline &outline) {
        return layout::readableExpansion(drawn, outline, firstBoxes);
    });
}

void Navigation::show(layout::Expansion expansion)
{
    m_expansion = std::move(expansion);
    m_toCentre.reset();
    m_drawing.drawAnalysed(always(m_expansion));
}

/// Drops the selection if it is gone: another function has other ids, and another state may lack it.
void Navigation::drop()
{
    if (m_function != m_document.functionId()) {
        m_function = m_document.functionId();
        m_selection = {};
        m_toCentre.reset();
        m_place.reset();
    } else if (!isThere(m_document.function(), m_selection)) {
        m_selection = {};
    }
}

void Navigation::takeDiagram()
{
    m_expansion = m_drawing.expansion();
    if (!isShown(m_selection))
        select({});
}

const ir::Function &Navigation::functionOf(const Selection &selection) const
{
    const SharedModel &before = m_document.models().shown.before;
    return before && !isThere(m_document.function(), selection) ? before->at(m_document.functionId())
                                                                : m_document.function();
}

bool Navigation::isShown(const Selection &selection) const { return isThere(functionOf(selection), selection); }

void Navigation::select(const Selection &selection)
{
    if (selection == m_selection || !isShown(selection))
        return;
    m_selection = selection;
    if (!m_isGoing && m_selection != Selection{})
        m_visits.add({m_document.functionId(), m_selection});
    emit selectionChanged();
}

/// Returns the nearest visit in direction `by` whose selection still exists. While nothing is selected, going back
/// starts with the last selection itself.
std::optional<std::size_t> Navigation::visit(int by) const
{
    return m_visits.find(by < 0 && m_selection == Selection{} ? 0 : by, by, [this](const Visits::Visit &visit) {
        const ir::Model &model = m_document.model();
        return visit.function.index < model.functions.size() && isThere(model.at(visit.function), visit.selection);
    });
}

void Navigation::go(int by)
{
    const auto at = visit(by);
    if (!at)
        return;
    const QScopedValueRollback going(m_isGoing, true);
    const Visits::Visit visit = m_visits.take(*at);
    m_document.setFunction(visit.function);
    reveal(visit.selection);
}

std::optional<ir::NodeId> Navigation::selectedNode() const
{
    const auto subject = subjectOf(m_drawing.function(), m_selection);
    const auto *node = subject ? std::get_if<ir::NodeId>(&*subject) : nullptr;
    return node ? std::optional(*node) : std::nullopt;
}

void Navigation::reveal(const Selection &selection)
{
    select(selection);
    const auto subject = subjectOf(m_drawing.function(), m_selection);
    if (!subject)
        return;
    if (hiddenSelection())
        hide();
    layout::Expansion wanted = m_expansion;
    for (const layout::Subject &box : m_drawing.enclosing(*subject))
        wanted.open.insert(box);
    if (!wanted.everything && wanted.open != m_expansion.open) {
        draw(std::move(wanted));
        m_toCentre = subject;
    } else if (m_drawing.isBusy() || !m_drawing.diagram()) {
        m_toCentre = subject;
    } else {
        emit centreRequested(*subject);
    }
}

void Navigation::edit(Edited what, const QString &text, Target target, std::optional<layout::Subject> anchor)
{
    m_document.edits().push(new Opening(*this, what, text, std::move(target), anchor));
}

void Navigation::draw(const Target &target, std::optional<layout::Subject> anchor)
{
    m_toCentre.reset();
    hide();
    if (const auto *expansion = std::get_if<layout::Expansion>(&target)) {
        m_expansion = *expansion;
        m_drawing.draw(always(m_expansion), anchor);
    } else {
        m_drawing.draw(std::get<Drawing::Choice>(target), anchor);
    }
}

void Navigation::setOpen(const layout::Subject &subject, bool isOpen)
{
    if (m_expansion.isOpen(subject) == isOpen || m_expansion.everything)
        return;
    layout::Expansion wanted = m_expansion;
    if (isOpen)
        wanted.open.insert(subject);
    else
        wanted.open.erase(subject);
    edit(Edited::Boxes, isOpen ? tr("expansion of boxes") : tr("collapse of boxes"), std::move(wanted), subject);
}

void Navigation::setDepth(int depth)
{
    edit(Edited::Levels, tr("choice of expanded levels"),
         [depth = std::max(depth, 0)](const ir::Graph &, const layout::Outline &outline) {
             return layout::expansionToDepth(outline, depth);
         });
}

void Navigation::focusOn(const Selection &selection)
{
    select(selection);
    const ir::Function &drawn = m_drawing.function();
    const auto subject = subjectOf(drawn, m_selection);
    if (!subject)
        return;
    layout::Expansion wanted;
    const std::vector<layout::Subject> &around = m_drawing.enclosing(*subject);
    wanted.open.insert(around.begin(), around.end());
    const auto *module = std::get_if<layout::ScopeSubject>(&*subject);
    for (const layout::Subject &box : m_expansion.open) {
        const Selection inside = toSelection(box);
        if (box == *subject
            || (module && isThere(drawn, inside)
                && ir::isWithin(*m_document.model().context, scopeOf(drawn, inside), module->scope)))
            wanted.open.insert(box);
    }
    edit(Edited::Focus, tr("isolation of the selection"), std::move(wanted));
    m_toCentre = subject;
}

/// Returns up to which level all modules in the diagram are open.
int Navigation::openDepth() const
{
    std::optional<int> shallowestClosed;
    int deepestOpen = 0;
    if (!m_drawing.diagram())
        return 0;
    for (const layout::Box &box : m_drawing.diagram()->boxes) {
        const auto *module = std::get_if<layout::ScopeSubject>(&box.subject);
        if (!module || !box.canOpen)
            continue;
        const int depth = ir::scopeDepth(*m_document.model().context, module->scope);
        if (box.open)
            deepestOpen = std::max(deepestOpen, depth);
        else
            shallowestClosed = std::min(shallowestClosed.value_or(depth), depth);
    }
    return shallowestClosed ? *shallowestClosed - 1 : deepestOpen;
}

void Navigation::openDeeper() { setDepth(openDepth() + 1); }

void Navigation::closeDeepest()
{
    int deepest = 0;
    for (const layout::Subject &box : m_expansion.open)
        if (const auto *module = std::get_if<layout::ScopeSubject>(&box))
            deepest = std::max(deepest, ir::scopeDepth(*m_document.model().context, module->scope));
    setDepth(deepest - 1);
}

void Navigation::openMarked()
{
    if (!m_drawing.nodeMarks() || m_expansion.everything)
        return;
    m_drawing.draw(
        [expansion = m_expansion, marks = m_drawing.nodeMarks()](const ir::Graph &, const layout::Outline &outline) {
            return layout::withMarkedShown(expansion, outline, *marks);
        });
}

void Navigation::setHiddenCategories(std::set<ops::Category> categories)
{
    if (categories == m_hiddenCategories)
        return;
    const auto set = [this](const std::set<ops::Category> &hidden) {
        m_hiddenCategories = hidden;
        hide();
        emit hiddenCategoriesChanged();
    };
    m_document.edits().push(new Edit<std::set<ops::Category>>(tr("choice of hidden categories"), m_hiddenCategories,
                                                              std::move(categories), set));
}

/// Returns the selected node if its category is hidden, since it is shown nevertheless.
std::optional<ir::NodeId> Navigation::hiddenSelection() const
{
    const std::optional<ir::NodeId> node = selectedNode();
    const bool isHidden = node && m_hiddenCategories.contains(ops::categoryOf({m_drawing.function().graph, *node}));
    return isHidden ? node : std::nullopt;
}

void Navigation::hide() { m_drawing.setHidden({m_hiddenCategories, hiddenSelection()}); }

void Navigation::hideCategory(ops::Category category, bool isHidden)
{
    std::set<ops::Category> categories = m_hiddenCategories;
    if (isHidden)
        categories.insert(category);
    else
        categories.erase(category);
    setHiddenCategories(std::move(categories));
}

void Navigation::setShowsMap(bool shows)
{
    m_showsMap = shows;
    emit showsMapChanged();
}

} // namespace cutaway::views
