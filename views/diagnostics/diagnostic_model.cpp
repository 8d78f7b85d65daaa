// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostic_model.h"

#include "core/ir/context.h"
#include "core/ir/names.h"
#include "views/appearance/icon.h"
#include "views/parts/text.h"

#include <algorithm>
#include <iterator>

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
    : QAbstractTableModel(parent),
      m_model(std::move(model)),
      m_diagnostics(m_model->diagnostics)
{
    std::ranges::stable_sort(m_diagnostics, std::greater(), &ir::Diagnostic::severity);
}

void DiagnosticModel::setMore(std::vector<ir::Diagnostic> more)
{
    beginResetModel();
    m_diagnostics = m_model->diagnostics;
    m_diagnostics.insert(m_diagnostics.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
    std::ranges::stable_sort(m_diagnostics, std::greater(), &ir::Diagnostic::severity);
    endResetModel();
}

const ir::Diagnostic &DiagnosticModel::diagnostic(int row) const { return m_diagnostics[std::size_t(row)]; }

int DiagnosticModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_diagnostics.size());
}
int DiagnosticModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString DiagnosticModel::text(const ir::Diagnostic &diagnostic, int column) const
{
    if (column == MessageColumn)
        return shown(diagnostic.message);
    if (column == CodeColumn)
        return shown(diagnostic.code);
    if (!diagnostic.function)
        return {};
    const ir::Function &function = m_model->at(*diagnostic.function);
    return shown(diagnostic.node ? ir::nameOf({function.graph, *diagnostic.node})
                                 : std::string(m_model->context->text(function.name)));
}

QVariant DiagnosticModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const ir::Diagnostic &row = diagnostic(index.row());
    if (role == Qt::DecorationRole && index.column() == MessageColumn)
        return icon(iconName(row.severity));
    if (role == Qt::DisplayRole)
        return text(row, index.column());
    if (role == Qt::ToolTipRole)
        return toolTipText(text(row, index.column()));
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
