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

/// Which picture of the graph is wanted.
struct PictureChoice {
    bool whole = false;     ///< all of the graph, else what is in sight
    QString suffix = "svg"; ///< svg, png, pdf or dot
    double zoom = 2;        ///< for a PNG: 1 is the size that the window has at 100 %
    bool dark = false;
};

/// Asks for a PictureChoice and for the file. Sizes are those of the pictures at 100 %, in pixels; `target` is the path
/// that is proposed, without its suffix.
class PictureDialog : public QDialog {
    Q_OBJECT

public:
    PictureDialog(QSizeF inSight, QSizeF whole, const PictureChoice &first, const QString &target, QWidget *parent);

    PictureChoice choice() const;
    /// Absolute, with the suffix of the chosen form.
    QString path() const;
    /// The report that is wanted beside the picture; "" if none is.
    QString reportPath() const;

    /// Asks before a file is replaced.
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
    QString m_folder; ///< which a relative path is of
};

} // namespace cutaway::desktop
