// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/find/hit_model.h"

#include "core/ir/node_ref.h"
#include "core/layout/describe.h"
#include "views/parts/text.h"

namespace cutaway::views {
namespace {

using Texts = std::array<QString, HitModel::ColumnCount>;

struct Describe {
    const ir::Function &function;
    const ir::Context &context;
    const std::function<QString(ir::ValueId)> &types;

    QString name(ir::NameId id) const { return shown(context.text(id)); }
    QString path(ir::ScopeId scope) const { return name(context.at(scope).path); }
    QString type(ir::ValueId value) const
    {
        return types ? types(value) : shown(layout::describeType(context, function.graph.at(value).type));
    }

    Texts operator()(ir::NodeId id) const
    {
        const ir::NodeRef node(function.graph, id);
        return {shown(node.fullName()), shown(node.name()), path(node->scope),
                node->outputs.empty() ? QString() : type(node->outputs.front())};
    }
    Texts operator()(const layout::ScopeSubject &module) const
    {
        const ir::Scope &scope = context.at(module.scope);
        return {QObject::tr("module"), name(scope.name), path(module.scope), shortClass(context.text(scope.className))};
    }
    Texts operator()(const layout::InputSubject &input) const
    {
        return {QObject::tr("input"), name(function.graph.at(input.value).name), {}, type(input.value)};
    }
    Texts operator()(ir::ValueId value) const
    {
        return {QObject::tr("weight"), name(function.graph.at(value).name), path(scopeOf(function, value)),
                type(value)};
    }
    Texts operator()(const auto &) const { return {}; }
};

} // namespace

void HitModel::setTypes(std::function<QString(ir::ValueId)> types)
{
    m_types = std::move(types);
    if (!m_hits.empty())
        emit dataChanged(index(0, TypeColumn), index(rowCount() - 1, TypeColumn));
}

void HitModel::setHits(std::shared_ptr<const ir::Model> model, ir::FunctionId function, std::vector<Selection> hits)
{
    beginResetModel();
    m_model = std::move(model);
    m_function = function;
    m_hits = std::move(hits);
    endResetModel();
}

int HitModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_hits.size()); }
int HitModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString HitModel::text(const Selection &hit, int column) const
{
    return std::visit(Describe{m_model->at(m_function), *m_model->context, m_types}, hit)[std::size_t(column)];
}

QVariant HitModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const QString full = text(m_hits[std::size_t(index.row())], index.column());
    return role == Qt::ToolTipRole ? toolTipText(full) : full;
}

QVariant HitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case KindColumn:
        return tr("Operator");
    case NameColumn:
        return tr("Name");
    case ModuleColumn:
        return tr("Module");
    case TypeColumn:
        return tr("Type");
    default:
        return {};
    }
}

} // namespace cutaway::views
