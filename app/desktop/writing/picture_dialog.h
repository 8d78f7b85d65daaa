// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QSizeF>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace cutaway::desktop {

/// How the user wants a picture of the graph.
struct PictureChoice {
    bool whole = false;     ///< whether the entire graph is written, or only the visible area
    QString suffix = "svg"; ///< svg, png, pdf or dot
    double zoom = 2;        ///< the resolution of a PNG, relative to the window at 100 %
    bool dark = false;
};

/// Asks for a PictureChoice and for the file. `inSight` and `whole` are the sizes in pixels of the visible area and of
/// the whole graph at 100 %; `target` is the proposed path without its suffix.
class PictureDialog : public QDialog {
    Q_OBJECT

public:
    PictureDialog(QSizeF inSight, QSizeF whole, const PictureChoice &first, const QString &target, QWidget *parent);

    PictureChoice choice() const;
    /// Returns the absolute path, with the suffix of the chosen format.
    QString path() const;
    /// Returns the path of the report that the user wants beside the picture; "" for none.
    QString reportPath() const;

    /// Closes the dialog; asks first if the file exists.
    void accept() override;

private:
    QWidget *makeTarget(const QString &target);
    QString base() const;
    void browse();
    void tell();

    QSizeF m_inSight, m_whole;
    QRadioButton *m_wholeChoice;
    QComboBox *m_form;
    QDoubleSpinBox *m_zoom;
    QComboBox *m_colours;
    QLabel *m_size;
    QLineEdit *m_target;
    QCheckBox *m_report;
    QPushButton *m_go = nullptr;
    QString m_folder; ///< the folder that a relative path starts at
};

} // namespace cutaway::desktop
