// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "views/parts/latest_work.h"
#include "views/session/selection.h"

#include <QObject>
#include <memory>

namespace cutaway::views {

class Session;

/// A second model beside the open one, and their differences. The selection of one model follows that of the other.
class Comparing : public QObject {
    Q_OBJECT

public:
    /// A difference: nodes of the first model, of the second, or of both; without any, of the functions' signatures.
    struct Row {
        std::vector<ir::NodeId> a, b;
        QString what;           ///< "stride: 1 → 2"
        bool isSame = false;    ///< written differently, but equivalent
        QString signature = {}; ///< "input 0"
    };

    explicit Comparing(Session &session);
    ~Comparing() override;

    /// Null while nothing is compared.
    Session *other() const { return m_other.get(); }
    /// Null until it is computed.
    const std::shared_ptr<const diff::Difference> &difference() const { return m_difference; }
    const std::vector<Row> &rows() const { return m_rows; }
    bool isBusy() const { return m_work.isBusy(); }

    void start(std::shared_ptr<const ir::Model> model);
    void end();
    /// Selects and reveals the nodes of a difference on both sides.
    void reveal(const Row &row);

signals:
    void otherChanged(); ///< also on end(); the previous one lives until all slots have returned
    void differenceChanged();
    void busyChanged();

private:
    void listenTo(Session &session);
    void forget();
    void compare();
    void show(std::shared_ptr<const diff::Difference> difference);
    void fillRows();
    void mark();
    void revealSignature(const Row &row);
    void follow(Session &from, Session &to, bool isFirst);
    std::optional<Selection> partnerOf(const Session &from, const Session &to, bool isFirst) const;
    std::optional<Selection> partnerOf(const layout::ScopeSubject &module, const Session &from, const Session &to,
                                       bool isFirst) const;

    Session &m_session;
    std::unique_ptr<Session> m_other;
    std::shared_ptr<const diff::Difference> m_difference;
    std::vector<Row> m_rows;
    bool m_following = false; ///< the selection is being copied from the other session
    LatestWork m_work;        ///< last: it ends first
};

} // namespace cutaway::views
