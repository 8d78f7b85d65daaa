// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "views/parts/latest_work.h"
#include "views/session/selection.h"

#include <QObject>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>

namespace cutaway::views {

class Session;
struct ComparedModel;

/// Finds which parts of two sessions correspond. In one file everything corresponds to itself, whatever passes have
/// made of the rest; the nodes of two files are paired as diff::compare() does. Both sessions must outlive this, or it
/// must not be asked about them any more.
class Correspondence : public QObject {
    Q_OBJECT

public:
    Correspondence(Session &a, Session &b);

    /// The difference of two files; null until it is computed, and in one file.
    const std::shared_ptr<const diff::Difference> &difference() const { return m_difference; }
    bool isBusy() const { return m_work.isBusy(); }
    /// Whether it is known which boxes of the two graphs correspond.
    bool isThere() const { return isOneFile() || m_difference; }
    /// Returns the selection in the other session that corresponds to a selection of `from`.
    std::optional<Selection> partnerOf(const Session &from, const Selection &selection) const;

signals:
    void changed();
    void busyChanged();

private:
    bool isOneFile() const;
    void forget();
    void compare();
    void show(std::shared_ptr<const diff::Difference> difference);
    std::optional<ir::NodeId> partnerOf(ir::NodeId node, bool isFirst) const;
    std::optional<Selection> partnerOf(const layout::ScopeSubject &module, bool isFirst) const;
    std::optional<Selection> innermostWithPartners(const layout::ScopeSubject &module, bool isFirst) const;

    using Nodes = std::unordered_map<std::uint32_t, ir::NodeId>;
    using Modules = std::map<layout::ScopeSubject, std::optional<Selection>>;
    Session &m_a;
    Session &m_b;
    std::shared_ptr<const diff::Difference> m_difference;
    std::array<Nodes, 2> m_nodes;             ///< partners of nodes of the second, and of the first
    mutable std::array<Modules, 2> m_modules; ///< partners of modules that were asked for, as m_nodes
    LatestWork m_work;                        ///< last: it ends first
};

/// A second model beside the open one, and their differences. The selection of one model follows that of the other.
class Comparing : public QObject {
    Q_OBJECT

public:
    /// A difference: nodes of the first model, of the second, or of both; a row without nodes is of the functions'
    /// signatures.
    struct Row {
        std::vector<ir::NodeId> a, b;
        QString what;            ///< "stride: 1 → 2"
        bool isSame = false;     ///< written differently, but equivalent
        QString signature = {};  ///< "input 0"
        bool isReplaced = false; ///< `a` was replaced by `b`, as a whole
    };

    explicit Comparing(Session &session);
    ~Comparing() override;

    /// Null while nothing is compared.
    Session *other() const { return m_other.get(); }
    /// Null until it is computed.
    std::shared_ptr<const diff::Difference> difference() const;
    const std::vector<Row> &rows() const { return m_rows; }
    bool isBusy() const { return m_correspondence && m_correspondence->isBusy(); }
    /// The correspondence of the two models; null while nothing is compared.
    const std::shared_ptr<Correspondence> &correspondence() const { return m_correspondence; }

    void start(std::shared_ptr<const ir::Model> model);
    void end();
    /// Returns the replaced region or equivalent group that contains a node of the first model; nullptr if there is
    /// none.
    const Row *rowAround(ir::NodeId node) const;
    /// Selects and reveals the nodes of a difference on both sides. If there are several, everything else on the
    /// drawings fades.
    void reveal(const Row &row);

signals:
    void otherChanged(); ///< also on end(); the previous one lives until all slots have returned
    void differenceChanged();
    void busyChanged();

private:
    void show();
    std::shared_ptr<const ComparedModel> comparedModel() const;
    void fillRows();
    void sortRows();
    void mark();
    void markRow(const Row &row);
    void revealSignature(const Row &row);
    void follow(Session &from, Session &to);

    Session &m_session;
    std::unique_ptr<Session> m_other;
    std::shared_ptr<Correspondence> m_correspondence;
    std::vector<Row> m_rows;
    bool m_isOneRow = false;  ///< the marks are those of one row
    bool m_following = false; ///< the selection is being copied from the other session
};

} // namespace cutaway::views
