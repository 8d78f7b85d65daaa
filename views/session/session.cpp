// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/session.h"

#include "core/ir/context.h"
#include "views/session/layout_worker.h"

#include <algorithm>

namespace cutaway::views {
namespace {
/// As many boxes as a window shows at a readable size: the first picture is of the whole model.
constexpr std::size_t firstBoxes = 20;
} // namespace

Session::Session(std::shared_ptr<const ir::Model> model, const layout::Options &options, QObject *parent)
    : QObject(parent),
      m_model(std::move(model)),
      m_worker(new LayoutWorker(m_model, options, this))
{
    connect(m_worker, &LayoutWorker::busyChanged, this, &Session::layoutBusyChanged);
    connect(m_worker, &LayoutWorker::done, this, [this](const LayoutWorker::Done &result) {
        m_expansion = m_shownExpansion = result.expansion;
        m_diagram = result.diagram;
        emit diagramChanged();
        m_anchor.reset();
        if (m_toCentre)
            emit centreRequested(*std::exchange(m_toCentre, std::nullopt));
    });
}

Session::~Session() = default;

const report::ModuleSums &Session::moduleSums() const
{
    if (!m_moduleSums)
        m_moduleSums = report::moduleSums(*m_model, function());
    return *m_moduleSums;
}

const std::vector<layout::Subject> &Session::enclosing(const layout::Subject &subject) const
{
    if (!m_enclosing || m_enclosing->first != subject)
        m_enclosing.emplace(subject, enclosingBoxes(*m_model, m_function, subject));
    return m_enclosing->second;
}

bool Session::isLayingOut() const { return m_worker->isBusy(); }

void Session::start()
{
    const auto *model = m_model.get();
    m_worker->request(
        {m_function, [model, f = m_function] { return layout::readableExpansion(*model, f, firstBoxes); }});
}

void Session::setFunction(ir::FunctionId function)
{
    if (function == m_function)
        return;
    m_function = function;
    m_selection = {};
    m_diagram.reset();
    m_moduleSums.reset();
    m_enclosing.reset();
    m_anchor.reset();
    m_toCentre.reset();
    emit functionChanged();
    emit selectionChanged();
    start();
}

void Session::select(const Selection &selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    emit selectionChanged();
}

void Session::reveal(const Selection &selection)
{
    select(selection);
    const auto subject = subjectOf(function(), selection);
    if (!subject)
        return;
    layout::Expansion wanted = m_expansion;
    for (const layout::Subject &box : enclosing(*subject))
        wanted.open.insert(box);
    if (!wanted.everything && wanted.open != m_expansion.open) {
        m_toCentre = subject;
        layOut(std::move(wanted));
    } else if (isLayingOut() || !m_diagram) {
        m_toCentre = subject;
    } else {
        emit centreRequested(*subject);
    }
}

void Session::setOpen(const layout::Subject &subject, bool open)
{
    if (m_expansion.isOpen(subject) == open || m_expansion.everything)
        return;
    layout::Expansion wanted = m_expansion;
    if (open)
        wanted.open.insert(subject);
    else
        wanted.open.erase(subject);
    m_anchor = subject;
    m_toCentre.reset();
    layOut(std::move(wanted));
}

void Session::layOut(layout::Expansion expansion)
{
    m_expansion = expansion;
    m_worker->request({m_function, [expansion = std::move(expansion)] { return expansion; }});
}

void Session::setDepth(int depth)
{
    const auto *model = m_model.get();
    m_anchor.reset();
    m_worker->request({m_function, [model, f = m_function, depth = std::max(depth, 0)] {
                           return layout::expansionToDepth(*model, f, depth);
                       }});
}

/// Levels of modules of which every one in the diagram is open.
int Session::openDepth() const
{
    std::optional<int> shallowestClosed;
    int deepestOpen = 0;
    if (!m_diagram)
        return 0;
    for (const layout::Box &box : m_diagram->boxes) {
        const auto *module = std::get_if<layout::ScopeSubject>(&box.subject);
        if (!module || !box.canOpen)
            continue;
        const int depth = scopeDepth(*m_model->context, module->scope);
        if (box.open)
            deepestOpen = std::max(deepestOpen, depth);
        else
            shallowestClosed = std::min(shallowestClosed.value_or(depth), depth);
    }
    return shallowestClosed ? *shallowestClosed - 1 : deepestOpen;
}

void Session::openDeeper() { setDepth(openDepth() + 1); }

void Session::closeDeepest()
{
    int deepest = 0;
    for (const layout::Subject &box : m_expansion.open)
        if (const auto *module = std::get_if<layout::ScopeSubject>(&box))
            deepest = std::max(deepest, scopeDepth(*m_model->context, module->scope));
    setDepth(deepest - 1);
}

void Session::setSearchText(const QString &text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    emit searchTextChanged();
}

void Session::cancelLayout()
{
    m_worker->cancel();
    m_expansion = m_shownExpansion;
    m_anchor.reset();
    m_toCentre.reset();
}

} // namespace cutaway::views
