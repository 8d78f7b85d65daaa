// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/annotations/annotating.h"

#include "core/base/result.h"
#include "views/parts/text.h"
#include "views/session/annotations/run_statistics.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/trace_change.h"

#include <utility>

namespace cutaway::views {

namespace {

/// Adds columns that the data lacks, so that those of the user's table stay. Nodes of later states have no cells.
void addColumns(node_data::NodeData &data, const std::vector<node_data::Column> &columns, const ir::Function &function)
{
    for (const node_data::Column &column : columns)
        if (!data.column(column.name)) {
            data.columns.push_back(column);
            data.columns.back().cells.resize(function.graph.nodeCount());
        }
}

} // namespace

Annotating::Annotating(const Document &document, const Running &running) : m_document(document), m_running(running)
{
    for (const auto change :
         {&Document::functionChanged, &Document::stateChanged, &Document::replaced, &Document::givenChanged})
        connect(&document, change, this, &Annotating::update);
    for (const auto change : {&Running::resultChanged, &Running::profileChanged, &Running::traceChangeChanged})
        connect(&running, change, this, &Annotating::update);
}

Result<QString> Annotating::open(const QString &path)
{
    CUTAWAY_TRY(auto table, node_data::readTable(path.toStdString()));
    const node_data::NodeData data = node_data::dataOf(m_document.function(), table);
    m_table = std::move(table);
    m_path = path;
    update();
    return shown(node_data::remarkOn({&data, 1}));
}

void Annotating::close()
{
    m_table.reset();
    m_path.clear();
    update();
}

const node_data::Column *Annotating::column(std::string_view name) const
{
    return m_data ? m_data->column(name) : nullptr;
}

std::span<const run::NotFinite> Annotating::notFinite() const
{
    return m_notFinite ? std::span<const run::NotFinite>(*m_notFinite) : std::span<const run::NotFinite>();
}

void Annotating::update()
{
    const ir::Function &function = m_document.function();
    const auto before = std::exchange(m_data, nullptr);
    const auto activationsBefore = std::exchange(m_activations, nullptr);
    m_notFinite.reset();
    node_data::NodeData data;
    if (m_table)
        data = node_data::dataOf(function, *m_table);
    const auto &result = m_running.result();
    if (result && result->outputs.statistics && result->origin.function == m_document.functionId()) {
        const auto &statistics = result->outputs.statistics;
        m_activations = {statistics, &statistics->activations};
        m_notFinite = {statistics, &statistics->notFinite};
        addColumns(data, statistics->columns, function);
    }
    if (const auto trace = m_running.trace())
        addColumns(data, trace->columns, function);
    if (const auto change = m_running.traceChange())
        addColumns(data, change->columns, function);
    if (!data.columns.empty())
        m_data = std::make_shared<const node_data::NodeData>(std::move(data));
    if (m_data || before || m_activations != activationsBefore)
        emit changed();
}

} // namespace cutaway::views
