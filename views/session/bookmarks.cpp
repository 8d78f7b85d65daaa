// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/bookmarks.h"

#include "core/base/overloaded.h"
#include "views/parts/edit.h"
#include "views/parts/text.h"
#include "views/session/navigation.h"

#include <algorithm>

namespace cutaway::views {
namespace {

/// Returns the name of a subject, even of a node that passes have removed.
struct NameOfBox {
    const ir::Function &function;

    QString path(ir::ScopeId scope) const
    {
        const ir::Context &context = function.graph.context();
        return shown(context.text(context.at(scope).path));
    }
    QString operator()(ir::NodeId node) const
    {
        return node.index < function.graph.nodeCount() ? shownName({function.graph, node})
                                                       : QObject::tr("node %1").arg(node.index);
    }
    QString operator()(const layout::ScopeSubject &module) const
    {
        return QObject::tr("module %1").arg(path(module.scope));
    }
    QString operator()(ir::RegionId region) const { return QObject::tr("region %1").arg(region.index); }
    QString operator()(const layout::InputSubject &input) const
    {
        return input.value.index < function.graph.valueCount()
            ? QObject::tr("input %1").arg(shown(ir::ValueRef(function.graph, input.value).name()))
            : QObject::tr("input");
    }
    QString operator()(const layout::OutputSubject &output) const { return QObject::tr("output %1").arg(output.index); }
    QString operator()(const layout::GroupSubject &group) const
    {
        return QObject::tr("a part of %1")
            .arg(group.scope == ir::ScopeId{} ? QObject::tr("the model") : path(group.scope));
    }
    QString operator()(const layout::FoundSubject &part) const
    {
        return QObject::tr("a part of %1, found in its graph")
            .arg(part.scope == ir::ScopeId{} ? QObject::tr("the model") : path(part.scope));
    }
    QString operator()(const layout::PlumbingSubject &part) const
    {
        return QObject::tr("shape and mask ops of %1")
            .arg(part.scope == ir::ScopeId{} ? QObject::tr("the model") : path(part.scope));
    }
};

} // namespace

Bookmarks::Bookmarks(Document &document, Navigation &navigation) : m_document(document), m_navigation(navigation) { }

std::optional<std::size_t> Bookmarks::indexOf(const layout::Subject &subject) const
{
    const auto found = std::ranges::find_if(m_all, [&](const Bookmark &each) {
        return each.function == m_document.functionId() && each.subject == subject;
    });
    return found == m_all.end() ? std::nullopt : std::optional(std::size_t(found - m_all.begin()));
}

const Bookmark *Bookmarks::of(const layout::Subject &subject) const
{
    const auto index = indexOf(subject);
    return index ? &m_all[*index] : nullptr;
}

std::optional<layout::Subject> Bookmarks::selected() const
{
    const Selection &selection = m_navigation.selection();
    return subjectOf(m_navigation.functionOf(selection), selection);
}

QString Bookmarks::nameOf(const Bookmark &bookmark) const
{
    const ir::Model &model = m_document.model();
    const QString name = std::visit(NameOfBox{model.at(bookmark.function)}, bookmark.subject);
    return bookmark.function == m_document.functionId()
        ? name
        : QObject::tr("%1 in %2").arg(name, shown(model.context->text(model.at(bookmark.function).name)));
}

void Bookmarks::toggle(const layout::Subject &subject)
{
    if (const auto index = indexOf(subject))
        return remove(*index);
    std::vector<Bookmark> all = m_all;
    all.push_back({m_document.functionId(), subject, {}});
    change(tr("new bookmark"), std::move(all));
}

void Bookmarks::setNote(const layout::Subject &subject, const QString &note)
{
    if (const auto index = indexOf(subject))
        return setNote(*index, note);
    std::vector<Bookmark> all = m_all;
    all.push_back({m_document.functionId(), subject, note});
    change(tr("note"), std::move(all));
}

void Bookmarks::set(std::vector<Bookmark> all) { change(tr("bookmarks"), std::move(all)); }

void Bookmarks::remove(std::size_t index)
{
    std::vector<Bookmark> all = m_all;
    all.erase(all.begin() + std::ptrdiff_t(index));
    change(tr("removal of a bookmark"), std::move(all));
}

void Bookmarks::setNote(std::size_t index, const QString &note)
{
    std::vector<Bookmark> all = m_all;
    all[index].note = note;
    change(tr("note"), std::move(all));
}

void Bookmarks::reveal(std::size_t index)
{
    const Bookmark bookmark = m_all[index]; // a copy, since a receiver of the signals may change the bookmarks
    m_document.setFunction(bookmark.function);
    m_navigation.reveal(toSelection(bookmark.subject));
}

void Bookmarks::requestNote(const layout::Subject &subject)
{
    if (!indexOf(subject))
        toggle(subject);
    emit noteRequested(*indexOf(subject));
}

void Bookmarks::change(const QString &what, std::vector<Bookmark> all)
{
    if (all == m_all)
        return;
    m_document.edits().push(
        new Edit<std::vector<Bookmark>>(what, m_all, std::move(all), [this](const std::vector<Bookmark> &to) {
            m_all = to;
            emit changed();
        }));
}

} // namespace cutaway::views
