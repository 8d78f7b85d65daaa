// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/modules/module_model.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "views/parts/text.h"

namespace cutaway::views {

ModuleModel::ModuleModel(std::shared_ptr<const ir::Model> model, ir::FunctionId function, analysis::ModuleSums sums,
                         QObject *parent)
    : QAbstractItemModel(parent),
      m_model(std::move(model)),
      m_function(function),
      m_sums(std::move(sums)),
      m_rows(m_sums.scopes.size(), 0)
{
    for (const analysis::ModuleSums::Sum &sum : m_sums.scopes)
        for (std::size_t row = 0; row < sum.children.size(); ++row)
            m_rows[sum.children[row].index] = static_cast<int>(row);
}

ir::ScopeId ModuleModel::scope(const QModelIndex &index) const
{
    return {static_cast<std::uint32_t>(index.internalId())};
}

QModelIndex ModuleModel::indexOf(ir::ScopeId scope, int column) const
{
    if (scope.index >= m_rows.size() || (scope != ir::ScopeId{} && m_sums.at(scope).nodes == 0))
        return {};
    return createIndex(m_rows[scope.index], column, quintptr(scope.index));
}

QModelIndex ModuleModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const ir::ScopeId scope =
        parent.isValid() ? m_sums.at(this->scope(parent)).children[std::size_t(row)] : ir::ScopeId{};
    return createIndex(row, column, quintptr(scope.index));
}

QModelIndex ModuleModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || scope(index) == ir::ScopeId{})
        return {};
    return indexOf(m_model->context->at(scope(index)).parent);
}

int ModuleModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return 1;
    return parent.column() == ModuleColumn ? static_cast<int>(m_sums.at(scope(parent)).children.size()) : 0;
}

int ModuleModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString ModuleModel::name(ir::ScopeId scope) const
{
    const ir::Context &context = *m_model->context;
    if (scope == ir::ScopeId{})
        return shown(context.text(m_model->at(m_function).name));
    const ir::Scope &s = context.at(scope);
    const QString name = shown(context.text(s.name));
    return s.call > 0 ? QStringLiteral("%1 (call %2)").arg(name).arg(s.call + 1) : name;
}

static QString exactCostText(const Quantity &cost)
{
    const bool isPart = cost.isAtLeast && cost.missing > 0;
    return isPart ? QObject::tr("%1 + %2 unknown").arg(cost.exactText(), shown(grouped(cost.missing)))
                  : cost.exactText();
}

QString ModuleModel::fullText(ir::ScopeId scope) const
{
    const ir::Scope &s = m_model->context->at(scope);
    const analysis::ModuleSums::Sum &sum = m_sums.at(scope);
    QString costs;
    if (m_figures)
        for (const Measure measure : {Measure::Flops, Measure::Bytes, Measure::Time, Measure::Measured})
            costs += '\n' + title(measure) + ": " + exactCostText(m_figures->of(scope, measure));
    if (m_figures && !m_figures->examples().note.empty())
        costs += '\n' + tr("~ is with %1").arg(shown(m_figures->examples().note));
    return QStringLiteral("%1\n%2\n%3, %4, %5%6")
        .arg(shown(m_model->context->text(s.path)), shown(m_model->context->text(s.className)),
             counted(sum.nodes, "node", "nodes"), counted(sum.parameters, "parameter", "parameters"),
             counted(sum.bytes, "byte", "bytes"), costs)
        .trimmed();
}

void ModuleModel::setFigures(std::shared_ptr<const Figures> figures)
{
    m_figures = std::move(figures);
    // Rows anywhere in the tree change, and there is no signal for that but this one.
    emit layoutAboutToBeChanged();
    emit layoutChanged();
}

/// Nothing for nothing: what costs stands out. How much is missing from a lower bound is left to the tool tip, as a
/// column for that would leave the others no room.
QString ModuleModel::costText(ir::ScopeId scope, Measure measure) const
{
    if (!m_figures)
        return {};
    Quantity quantity = m_figures->of(scope, measure);
    if (quantity.number() == 0.0)
        return {};
    if (quantity.unit == Quantity::Unit::Flop)
        quantity.unit = Quantity::Unit::Count; // the column's title says it
    if (quantity.isAtLeast)
        quantity.missing = 0;
    return quantity.text();
}

/// Of what was timed in it.
QString ModuleModel::timeText(ir::ScopeId scope) const
{
    const auto seconds = m_figures ? m_figures->of(scope, Measure::Measured).number() : std::nullopt;
    return seconds.value_or(0) > 0 ? numberText(Quantity::Unit::Second, *seconds) : QString();
}

QVariant ModuleModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const analysis::ModuleSums::Sum &sum = m_sums.at(scope(index));
    if (role == Qt::ToolTipRole)
        return toolTipText(fullText(scope(index)));
    if (role == classRole)
        return shortClass(m_model->context->text(m_model->context->at(scope(index)).className));
    if (role == Qt::TextAlignmentRole && index.column() != ModuleColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case ModuleColumn:
        return name(scope(index));
    case NodesColumn:
        return shown(grouped(sum.nodes));
    case ParametersColumn:
        return sum.parameters == 0 ? QString() : shown(siCount(double(sum.parameters)));
    case FlopsColumn:
        return costText(scope(index), Measure::Flops);
    case BytesColumn:
        return costText(scope(index), Measure::Bytes);
    case MeasuredColumn:
        return timeText(scope(index));
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
