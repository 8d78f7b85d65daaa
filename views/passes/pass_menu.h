// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"

#include <QMenu>
#include <functional>
#include <span>
#include <vector>

class QLineEdit;
class QListWidget;

namespace cutaway::views {

/// A menu of passes with a line to filter them by name or description.
class PassMenu : public QMenu {
public:
    PassMenu(std::function<void(const passes::Pass &)> choose, QWidget *parent);

    /// Lists the passes, those of plugins below the others. They must live as long as the menu, or until the next call.
    void setPasses(std::span<const passes::Pass *const> own, std::span<const passes::Pass *const> ofPlugins);

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void add(std::span<const passes::Pass *const> passes);
    void filter();
    void step(int by);
    void take(int row);

    std::function<void(const passes::Pass &)> m_choose;
    QLineEdit *m_line;
    QListWidget *m_list;
    std::vector<const passes::Pass *> m_passes; ///< by row; nullptr: a heading
};

} // namespace cutaway::views
