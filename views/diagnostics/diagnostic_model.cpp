// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostic_model.h"

#include "core/ir/context.h"
#include "views/appearance/icon.h"
#include "views/parts/text.h"
#include "views/session/times_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace cutaway::views {
namespace {

QString iconName(ir::Severity severity)
{
    switch (severity) {
    case ir::Severity::Error:
        return QStringLiteral("error");
    case ir::Severity::Warning:
        return QStringLiteral("warning");
    case ir::Severity::Info:
        break;
    }
    return QStringLiteral("info");
}

} // namespace

DiagnosticModel::DiagnosticModel(std::shared_ptr<const ir::Model> model, QObject *parent)
    : QAbstractItemModel(parent),
      m_model(std::move(model))
{
    take(m_model->diagnostics);
}

void DiagnosticModel::show(std::shared_ptr<const ir::Model> model, std::vector<ir::Diagnostic> more)
{
    beginResetModel();
    m_model = std::move(model);
    std::vector<ir::Diagnostic> all = m_model->diagnostics;
    all.insert(all.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
    take(std::move(all));
    endResetModel();
}

/// Takes the diagnostics over. Diagnostics with the same text become a group, at the position of the first of them.
void DiagnosticModel::take(std::vector<ir::Diagnostic> all)
{
    using Text = std::tuple<ir::Severity, std::string_view, std::string_view>;
    const auto textOf = [](const ir::Diagnostic &d) { return Text(d.severity, d.code, d.message); };
    std::map<Text, std::size_t> first;
    // Indices into `all`: of the first diagnostic with the same text, and of the diagnostic itself.
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t i = 0; i < all.size(); ++i)
        places.emplace_back(first.try_emplace(textOf(all[i]), i).first->second, i);
    std::ranges::sort(places, [&](const auto &a, const auto &b) {
        const ir::Severity x = all[a.second].severity, y = all[b.second].severity;
        return x != y ? x > y : a < b;
    });
    m_diagnostics.clear();
    m_groups.clear();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool isNew = i == 0 || places[i].first != places[i - 1].first;
        if (isNew)
            m_groups.push_back({i, 0});
        ++m_groups.back().count;
        m_diagnostics.push_back(all[places[i].second]);
    }
}

bool DiagnosticModel::hasGroups() const
{
    return std::ranges::any_of(m_groups, [](const Group &group) { return group.count > 1; });
}

/// Returns an index. The internal id of a row inside a group is the group's row + 1; that of a top-level row is 0.
QModelIndex DiagnosticModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex DiagnosticModel::parent(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() > 0 ? createIndex(int(index.internalId()) - 1, 0, quintptr(0))
                                                     : QModelIndex();
}

int DiagnosticModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_groups.size());
    return parent.column() == MessageColumn && isGroup(parent) ? int(m_groups[std::size_t(parent.row())].count) : 0;
}

int DiagnosticModel::columnCount(const QModelIndex &) const { return ColumnCount; }

bool DiagnosticModel::isGroup(const QModelIndex &index) const
{
    return index.internalId() == 0 && m_groups[std::size_t(index.row())].count > 1;
}

const ir::Diagnostic &DiagnosticModel::diagnostic(const QModelIndex &index) const
{
    if (index.internalId() == 0)
        return m_diagnostics[m_groups[std::size_t(index.row())].first];
    return m_diagnostics[m_groups[std::size_t(index.internalId()) - 1].first + std::size_t(index.row())];
}

QString DiagnosticModel::text(const QModelIndex &index) const
{
    const ir::Diagnostic &diagnostic = this->diagnostic(index);
    if (index.column() == MessageColumn)
        return shown(diagnostic.message);
    if (index.column() == CodeColumn)
        return shown(diagnostic.code);
    if (isGroup(index))
        return tr("%1 places").arg(m_groups[std::size_t(index.row())].count);
    if (!diagnostic.function)
        return {};
    const ir::Function &function = m_model->at(*diagnostic.function);
    return diagnostic.node ? nodeText({function.graph, *diagnostic.node})
                           : shown(m_model->context->text(function.name));
}

QVariant DiagnosticModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::DecorationRole && index.column() == MessageColumn)
        return icon(iconName(diagnostic(index).severity));
    if (role == Qt::DisplayRole)
        return text(index);
    if (role == Qt::ToolTipRole)
        return toolTipText(text(index));
    return {};
}

QVariant DiagnosticModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case MessageColumn:
        return tr("Message");
    case PlaceColumn:
        return tr("About");
    case CodeColumn:
        return tr("Code");
    default:
        return {};
    }
}

} // namespace cutaway::views
