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

/// Describes what each step did within the module that is shown: "12 × transpose gone; 3 × mul → constant". A
/// description is computed once, for a large step on another thread.
class StepPatterns : public QObject {
    Q_OBJECT

public:
    StepPatterns(const Stepping &stepping, QObject *parent);

    /// Returns what the step before a position did. Returns "" if it did nothing, or while the description is being
    /// computed; found() is emitted once it is there. Precondition: the step is read.
    QString textOf(std::size_t position);

signals:
    void found(std::size_t position);

private:
    /// Identifies a step across histories: by the graphs before and after it, and the module.
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
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
