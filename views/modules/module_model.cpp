// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/modules/module_model.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/figures.h"

#include <algorithm>

namespace cutaway::views {

ModuleModel::ModuleModel(const Document &document, const layout::Outline *outline, QObject *parent)
    : QAbstractItemModel(parent),
      m_model(document.models().shown.model),
      m_function(document.functionId()),
      m_rows(layout::moduleRows(*m_model, m_model->at(m_function), document.moduleSums(), outline)),
      m_places(m_rows.size(), 0)
{
    for (std::uint32_t i = 0; i < m_rows.size(); ++i) {
        for (std::size_t place = 0; place < m_rows[i].children.size(); ++place)
            m_places[m_rows[i].children[place]] = static_cast<int>(place);
        if (const auto *found = std::get_if<layout::FoundSubject>(&m_rows[i].subject)) {
            m_rowOfFound.emplace(*found, i);
            continue;
        }
        const std::size_t scope = std::get<layout::ScopeSubject>(m_rows[i].subject).scope.index;
        m_rowOfScope.resize(std::max(m_rowOfScope.size(), scope + 1));
        m_rowOfScope[scope] = i;
    }
}

layout::Subject ModuleModel::subject(const QModelIndex &index) const
{
    return std::visit([](const auto &box) { return layout::Subject(box); }, row(index).subject);
}

QModelIndex ModuleModel::indexOf(const layout::Subject &box, int column) const
{
    if (const auto *module = std::get_if<layout::ScopeSubject>(&box))
        return indexOf(module->scope, column);
    const auto *part = std::get_if<layout::FoundSubject>(&box);
    const auto found = part ? m_rowOfFound.find(*part) : m_rowOfFound.end();
    return found == m_rowOfFound.end() ? QModelIndex() : indexOfRow(found->second, column);
}

QModelIndex ModuleModel::indexOf(ir::ScopeId scope, int column) const
{
    const auto row = scope.index < m_rowOfScope.size() ? m_rowOfScope[scope.index] : std::nullopt;
    return row ? indexOfRow(*row, column) : QModelIndex();
}

QModelIndex ModuleModel::indexOfRow(std::uint32_t row, int column) const
{
    return createIndex(m_places[row], column, quintptr(row));
}

QModelIndex ModuleModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, quintptr(parent.isValid() ? this->row(parent).children[std::size_t(row)] : 0));
}

QModelIndex ModuleModel::parent(const QModelIndex &index) const
{
    return !index.isValid() || isRoot(index) ? QModelIndex() : indexOfRow(row(index).parent, ModuleColumn);
}

int ModuleModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return 1;
    return parent.column() == ModuleColumn ? static_cast<int>(row(parent).children.size()) : 0;
}

int ModuleModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString ModuleModel::name(const layout::ModuleRow &row) const
{
    const auto *module = std::get_if<layout::ScopeSubject>(&row.subject);
    if (!module)
        return shown(row.found.name);
    const ir::Context &context = *m_model->context;
    if (module->scope == ir::ScopeId{})
        return shown(context.text(m_model->at(m_function).name));
    const ir::Scope &scope = context.at(module->scope);
    const QString name = shown(context.text(scope.name));
    return scope.call > 0 ? QStringLiteral("%1 (call %2)").arg(name).arg(scope.call + 1) : name;
}

QString ModuleModel::className(const layout::ModuleRow &row) const
{
    const auto *module = std::get_if<layout::ScopeSubject>(&row.subject);
    return module ? shortClass(m_model->context->text(m_model->context->at(module->scope).className)) : tr("found");
}

static QString exactCostText(const Quantity &cost)
{
    const bool isPart = cost.isAtLeast && cost.missing > 0;
    return isPart ? QObject::tr("%1 + %2 unknown").arg(cost.exactText(), shown(grouped(cost.missing)))
                  : cost.exactText();
}

QString ModuleModel::fullText(const layout::ModuleRow &row) const
{
    QString costs;
    if (m_figures)
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Time, Measure::Measured})
            costs += '\n' + title(measure) + ": " + exactCostText(m_figures->of(row, measure));
    if (m_figures && !m_figures->examples().note.empty())
        costs += '\n' + tr("~ is with %1").arg(shown(m_figures->examples().note));
    QString name = shown(row.found.title), kind = tr("Found in the graph, not recorded in the file");
    if (const auto *module = std::get_if<layout::ScopeSubject>(&row.subject)) {
        const ir::Scope &scope = m_model->context->at(module->scope);
        name = shown(m_model->context->text(scope.path));
        kind = shown(m_model->context->text(scope.className));
    }
    return QStringLiteral("%1\n%2\n%3, %4, %5%6")
        .arg(name, kind, counted(row.nodes, "node", "nodes"), counted(row.parameters, "parameter", "parameters"),
             counted(row.bytes, "byte", "bytes"), costs)
        .trimmed();
}

void ModuleModel::setFigures(std::shared_ptr<const Figures> figures)
{
    m_figures = std::move(figures);
    // Rows anywhere in the tree change, and the change of the layout is the only signal that covers all.
    emit layoutAboutToBeChanged();
    emit layoutChanged();
}

/// Returns the text of a cost; "" for zero, so that costs stand out. For a lower bound, the number of unknown nodes is
/// in the tool tip only, since it would widen the column at the expense of the others.
QString ModuleModel::costText(const layout::ModuleRow &row, Measure measure) const
{
    if (!m_figures)
        return {};
    Quantity quantity = m_figures->of(row, measure);
    if (quantity.number() == 0.0)
        return {};
    if (quantity.unit == Quantity::Unit::Flop)
        quantity.unit = Quantity::Unit::Count; // the unit is in the column's title
    if (quantity.isAtLeast)
        quantity.missing = 0;
    return quantity.text();
}

/// Returns the measured time of the nodes in a row that were timed.
QString ModuleModel::timeText(const layout::ModuleRow &row) const
{
    const auto seconds = m_figures ? m_figures->of(row, Measure::Measured).number() : std::nullopt;
    return seconds.value_or(0) > 0 ? numberText(Quantity::Unit::Second, *seconds) : QString();
}

QVariant ModuleModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const layout::ModuleRow &row = this->row(index);
    if (role == Qt::ToolTipRole)
        return toolTipText(fullText(row));
    if (role == classRole)
        return className(row);
    if (role == Qt::TextAlignmentRole && index.column() != ModuleColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case ModuleColumn:
        return name(row);
    case NodesColumn:
        return shown(grouped(row.nodes));
    case ParametersColumn:
        return row.parameters == 0 ? QString() : shown(siCount(double(row.parameters)));
    case FlopsColumn:
        return costText(row, Measure::Flops);
    case BytesColumn:
        return costText(row, Measure::Bytes);
    case MeasuredColumn:
        return timeText(row);
    default:
        return {};
    }
}

QVariant ModuleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == ModuleColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ModuleColumn:
        return tr("Module");
    case NodesColumn:
        return tr("Nodes");
    case ParametersColumn:
        return tr("Params");
    case FlopsColumn:
        return tr("FLOPs");
    case BytesColumn:
        return tr("Traffic");
    case MeasuredColumn:
        return tr("Time");
    default:
        return {};
    }
}

} // namespace cutaway::views
