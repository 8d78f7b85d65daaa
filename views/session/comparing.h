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

/// Finds which parts of two sessions correspond. In sessions of one file everything corresponds to itself, unless
/// passes have removed it on the other side. The nodes of two files are paired as diff::compare() does. The sessions
/// must live as long as this object is asked.
class Correspondence : public QObject {
    Q_OBJECT

public:
    Correspondence(Session &a, Session &b);

    /// Returns the difference of two files; null until it is computed, and if both sessions have the same file.
    const std::shared_ptr<const diff::Difference> &difference() const { return m_difference; }
    bool isBusy() const { return m_work.isBusy(); }
    /// Whether partnerOf() can answer: at once for sessions of one file, else when the difference is computed.
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
    std::array<Nodes, 2> m_nodes;             ///< [0]: partners of the second model's nodes, [1]: of the first's
    mutable std::array<Modules, 2> m_modules; ///< partners as in m_nodes, of modules that were asked for
    LatestWork m_work;                        ///< declared last, so that it ends before what it uses
};

/// A second model that is compared with the open one, and their differences. The selection of one model follows that of
/// the other.
class Comparing : public QObject {
    Q_OBJECT

public:
    /// One difference: nodes of the first model, of the second, or of both. A row without nodes is about the functions'
    /// signatures.
    struct Row {
        std::vector<ir::NodeId> a, b;
        QString what;            ///< what differs: "stride: 1 → 2"
        bool isSame = false;     ///< whether both sides compute the same, written differently
        QString signature = {};  ///< the input, output or weight that a row without nodes is about: "input 0"
        bool isReplaced = false; ///< whether `a` was replaced by `b` as a region
    };

    explicit Comparing(Session &session);
    ~Comparing() override;

    /// Returns the session of the second model; null while nothing is compared.
    Session *other() const { return m_other.get(); }
    /// Returns the difference; null until it is computed.
    std::shared_ptr<const diff::Difference> difference() const;
    const std::vector<Row> &rows() const { return m_rows; }
    bool isBusy() const { return m_correspondence && m_correspondence->isBusy(); }
    /// Returns the correspondence of the two models; null while nothing is compared.
    const std::shared_ptr<Correspondence> &correspondence() const { return m_correspondence; }

    void start(std::shared_ptr<const ir::Model> model);
    void end();
    /// Returns the replaced region or equivalent group that contains a node of the first model; nullptr if there is
    /// none.
    const Row *rowAround(ir::NodeId node) const;
    /// Selects and reveals the nodes of a difference on both sides. If it has several nodes, all else is faded.
    void reveal(const Row &row);

signals:
    void otherChanged(); ///< also emitted after end(); the previous session lives until all slots have returned
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
    bool m_isOneRow = false;  ///< whether only the nodes of one row are marked
    bool m_following = false; ///< whether the selection is just being copied from the other session
};

} // namespace cutaway::views
