// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/writing/picture_dialog.h"

#include "core/drawing/look.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace cutaway::desktop {
namespace {

constexpr double maxZoom = 20;
constexpr int targetWidth = 320;

} // namespace

PictureDialog::PictureDialog(QSizeF inSight, QSizeF whole, const PictureChoice &first, const QString &target,
                             QWidget *parent)
    : QDialog(parent),
      m_inSight(inSight),
      m_whole(whole),
      m_wholeChoice(new QRadioButton(tr("Entire &graph"), this)),
      m_form(new QComboBox(this)),
      m_zoom(new QDoubleSpinBox(this)),
      m_colours(new QComboBox(this)),
      m_size(new QLabel(this)),
      m_target(new QLineEdit(this)),
      m_report(new QCheckBox(tr("Also write an HTML &report"), this)),
      m_folder(QFileInfo(target).absolutePath())
{
    setWindowTitle(tr("Export"));
    auto *sight = new QRadioButton(tr("&Visible area"), this);
    (first.whole ? m_wholeChoice : sight)->setChecked(true);
    const std::pair<QString, const char *> forms[] = {{tr("SVG, for browsers and vector editors"), "svg"},
                                                      {tr("PNG, as pixels"), "png"},
                                                      {tr("PDF, for papers and print"), "pdf"},
                                                      {tr("DOT, for Graphviz"), "dot"}};
    for (const auto &[text, suffix] : forms)
        m_form->addItem(text, QString::fromLatin1(suffix));
    m_form->setCurrentIndex(m_form->findData(first.suffix));
    m_zoom->setRange(0.1, maxZoom);
    m_zoom->setSingleStep(0.5);
    m_zoom->setDecimals(1);
    m_zoom->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_zoom->setSuffix(QStringLiteral(" ×"));
    m_zoom->setValue(first.zoom);
    m_colours->addItems({tr("Light"), tr("Dark")});
    m_colours->setCurrentIndex(first.dark ? 1 : 0);
    m_size->setForegroundRole(QPalette::PlaceholderText);
    auto *parts = new QVBoxLayout;
    parts->setSpacing(6);
    parts->addWidget(sight);
    parts->addWidget(m_wholeChoice);
    auto *rows = new QFormLayout;
    rows->setHorizontalSpacing(16);
    rows->setVerticalSpacing(10);
    rows->addRow(tr("Part"), parts);
    rows->addRow(tr("Format"), m_form);
    rows->addRow(tr("Colours"), m_colours);
    rows->addRow(tr("Scale"), m_zoom);
    rows->addRow(QString(), m_size);
    rows->addRow(tr("File"), makeTarget(target));
    rows->addRow(QString(), m_report);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_go = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    m_go->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(16);
    column->addLayout(rows);
    column->addWidget(buttons);
    connect(m_form, &QComboBox::currentIndexChanged, this, [this] {
        m_target->setText(base() + '.' + choice().suffix);
        tell();
    });
    connect(m_target, &QLineEdit::textChanged, this, [this] { tell(); });
    connect(m_wholeChoice, &QRadioButton::toggled, this, [this] { tell(); });
    connect(m_zoom, &QDoubleSpinBox::valueChanged, this, [this] { tell(); });
    tell();
}

PictureChoice PictureDialog::choice() const
{
    return {m_wholeChoice->isChecked(), m_form->currentData().toString(), m_zoom->value(),
            m_colours->currentIndex() == 1};
}

QWidget *PictureDialog::makeTarget(const QString &target)
{
    auto *both = new QWidget(this);
    m_target->setAccessibleName(tr("File"));
    m_target->setMinimumWidth(targetWidth);
    m_target->setText(target + '.' + choice().suffix);
    auto *choose = new QPushButton(tr("&Choose…"), both);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this] { browse(); });
    auto *row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_target, 1);
    row->addWidget(choose);
    return both;
}

/// Returns the path that the user has entered, without the suffix of a picture.
QString PictureDialog::base() const
{
    QString text = m_target->text().trimmed();
    for (int i = 0; i < m_form->count(); ++i)
        if (const QString suffix = '.' + m_form->itemData(i).toString(); text.endsWith(suffix, Qt::CaseInsensitive))
            return text.chopped(suffix.size());
    return text;
}

QString PictureDialog::path() const { return QDir(m_folder).absoluteFilePath(base()) + '.' + choice().suffix; }

QString PictureDialog::reportPath() const
{
    return m_report->isChecked() ? QDir(m_folder).absoluteFilePath(base()) + QStringLiteral(".html") : QString();
}

void PictureDialog::browse()
{
    const QString chosen =
        QFileDialog::getSaveFileName(this, windowTitle(), path(), tr("Pictures (*.%1)").arg(choice().suffix), nullptr,
                                     QFileDialog::DontConfirmOverwrite);
    if (!chosen.isEmpty())
        m_target->setText(chosen);
}

void PictureDialog::accept()
{
    QStringList there;
    for (const QString &target : {path(), reportPath()})
        if (!target.isEmpty() && QFileInfo::exists(target))
            there << QFileInfo(target).fileName();
    if (!there.isEmpty()
        && QMessageBox::question(this, windowTitle(), tr("Replace %1?").arg(there.join(tr(" and "))))
            != QMessageBox::Yes)
        return;
    QDialog::accept();
}

/// Shows the size of the chosen picture, or what its format leaves out.
void PictureDialog::tell()
{
    const PictureChoice chosen = choice();
    const bool isDot = chosen.suffix == "dot", isPng = chosen.suffix == "png";
    m_go->setEnabled(!QFileInfo(base()).fileName().isEmpty());
    m_zoom->setEnabled(isPng);
    m_colours->setEnabled(!isDot);
    const QSizeF size = chosen.whole ? m_whole : m_inSight;
    const double zoom = isPng ? drawing::zoomWithin({0, 0, size.width(), size.height()}, chosen.zoom) : 1;
    const QLocale locale = QLocale::c();
    const QSize pixels = (size * zoom).toSize();
    const QString text = tr("%1 × %2 pixels").arg(locale.toString(pixels.width()), locale.toString(pixels.height()));
    m_size->setText(isDot                    ? tr("Entire graph, without colours")
                        : !isPng             ? tr("%1 at 100 %").arg(text)
                        : zoom < chosen.zoom ? tr("%1, the largest PNG").arg(text)
                                             : text);
}

} // namespace cutaway::desktop
