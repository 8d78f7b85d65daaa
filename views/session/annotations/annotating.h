// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node_data/node_data.h"
#include "core/run/values/activations.h"

#include <QObject>
#include <QString>
#include <memory>
#include <span>

namespace cutaway::views {

class Document;
class Running;

/// Columns for the nodes of the shown function: those of the user's table, the statistics of the last run that took
/// any, and those of an opened trace.
class Annotating : public QObject {
    Q_OBJECT

public:
    Annotating(const Document &document, const Running &running);

    /// Opens a table in place of the present one. Returns a remark on rows that fit no node, or "". Errors: those of
    /// node_data::readTable(); the present table then stays.
    Result<QString> open(const QString &path);
    void close();
    /// Returns the path of the table, or an empty one.
    const QString &path() const { return m_path; }

    /// Returns all columns, those of the run and of the trace last, or null if there are none. Nodes of later states
    /// may have no cells.
    const std::shared_ptr<const node_data::NodeData> &data() const { return m_data; }
    const node_data::Column *column(std::string_view name) const;

    /// Returns the statistics of values of the shown function, or null.
    const run::Activations *activations() const { return m_activations.get(); }
    /// Returns the nodes that make a NaN or an infinity, in the order in which they run.
    std::span<const run::NotFinite> notFinite() const;

signals:
    void changed();

private:
    void update();

    const Document &m_document;
    const Running &m_running;
    QString m_path;
    std::optional<node_data::Table> m_table;
    std::shared_ptr<const node_data::NodeData> m_data;
    std::shared_ptr<const run::Activations> m_activations;
    std::shared_ptr<const std::vector<run::NotFinite>> m_notFinite;
};

} // namespace cutaway::views
