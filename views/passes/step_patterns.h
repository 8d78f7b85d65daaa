// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "views/parts/latest_work.h"

#include <QString>
#include <map>
#include <memory>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::views {

class Stepping;

/// Says what steps did within the module that is shown: "12 × transpose gone; 3 × mul → constant". It is found out once
/// for each step, for a large one on another thread.
class StepPatterns : public QObject {
    Q_OBJECT

public:
    StepPatterns(const Stepping &stepping, QObject *parent);

    /// Returns what the step before a position did; "" if it did nothing, or until found(). Precondition: the step is
    /// read.
    QString textOf(std::size_t position);

signals:
    void found(std::size_t position);

private:
    /// A step is the same in all histories that have its two graphs.
    struct Key {
        std::weak_ptr<const ir::Model> before, after;
        ir::ScopeId module;
        bool isSame(const Key &other) const;
    };
    struct Known {
        Key key;
        QString text;
    };

    const Stepping &m_stepping;
    std::map<std::size_t, Known> m_known; ///< by position
    std::optional<Key> m_asked;
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
