// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QSizeF>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QRadioButton;

namespace cutaway::desktop {

/// Which picture of the graph is wanted.
struct PictureChoice {
    bool whole = false;     ///< all of the graph, else what is in sight
    QString suffix = "svg"; ///< svg, png, pdf or dot
    double zoom = 2;        ///< of a PNG: 1 is the size that the window has at 100 %
    bool dark = false;
};

/// Asks for a PictureChoice. Sizes are those of the pictures at 100 %, in pixels.
class PictureDialog : public QDialog {
    Q_OBJECT

public:
    PictureDialog(QSizeF inSight, QSizeF whole, const PictureChoice &first, QWidget *parent);

    PictureChoice choice() const;

private:
    void tell();

    QSizeF m_inSight, m_whole;
    QRadioButton *m_wholeChoice;
    QComboBox *m_form;
    QDoubleSpinBox *m_zoom;
    QComboBox *m_colours;
    QLabel *m_size;
};

} // namespace cutaway::desktop
