// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "views/session/latest_work.h"

#include <QObject>
#include <memory>

namespace cutaway::views {

class Session;

/// The model that is open beside another one. What is selected in one is selected in the other, if it is there.
class Comparing : public QObject {
    Q_OBJECT

public:
    /// What differs, in the order of the first model: a node of it, one of the other, or both.
    struct Row {
        std::vector<ir::NodeId> a, b;
        QString what;        ///< "stride: 1 → 2"
        bool isSame = false; ///< written differently, but doing the same together
    };

    explicit Comparing(Session &session);
    ~Comparing() override;

    /// Null while nothing is compared.
    Session *other() const { return m_other.get(); }
    /// Null until it is there.
    const std::shared_ptr<const diff::Difference> &difference() const { return m_difference; }
    const std::vector<Row> &rows() const { return m_rows; }
    bool isBusy() const { return m_work.isBusy(); }

    void start(std::shared_ptr<const ir::Model> model);
    void end();
    /// Selects what differs on both sides and brings it into sight.
    void reveal(const Row &row);

signals:
    void otherChanged(); ///< also when there is none any more; the one before lives until the slots are done
    void differenceChanged();
    void busyChanged();

private:
    void listenTo(Session &session);
    void forget();
    void compare();
    void show(std::shared_ptr<const diff::Difference> difference);
    void fillRows();
    void mark();
    void follow(Session &from, Session &to, bool isFirst);

    Session &m_session;
    std::unique_ptr<Session> m_other;
    std::shared_ptr<const diff::Difference> m_difference;
    std::vector<Row> m_rows;
    bool m_following = false; ///< a selection is being carried over, not made
    LatestWork m_work;        ///< last: it ends first
};

} // namespace cutaway::views
