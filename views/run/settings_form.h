// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace cutaway::views {

class Session;

/// The fields of RunSettings. A backend that cannot run the function that is shown is disabled and has the reason as
/// its tool tip.
class SettingsForm : public QWidget {
public:
    explicit SettingsForm(Session &session, QWidget *parent);

    /// Shows the settings of the session; which backends can be chosen depends on the function.
    void fill();

private:
    void addField(QGridLayout &grid, const QString &name, QWidget *field, int row, int column, int span = 1);
    void fillBackends();
    void fillReferences();
    void fillDevices();
    void take();
    std::vector<std::string> libraries() const;

    Session &m_session;
    QComboBox *m_backend, *m_reference, *m_target, *m_device, *m_optimization;
    QSpinBox *m_threads, *m_seed;
    QDoubleSpinBox *m_seconds;
    QLineEdit *m_libraries; ///< paths, separated by colons
    bool m_filling = false; ///< whether the program is setting the fields, rather than the user
};

} // namespace cutaway::views
