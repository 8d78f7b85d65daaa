// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/wishes_form.h"

#include "views/parts/text.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <limits>

namespace cutaway::views {
namespace {
constexpr int fieldHeight = 30;
}

WishesForm::WishesForm(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_backend(new QComboBox(this)),
      m_target(new QComboBox(this)),
      m_optimization(new QComboBox(this)),
      m_threads(new QSpinBox(this)),
      m_seed(new QSpinBox(this)),
      m_seconds(new QDoubleSpinBox(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(12, 4, 12, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    addField(*grid, tr("Backend"), m_backend, 0, 0, 3);
    addField(*grid, tr("Target"), m_target, 1, 0, 3);
    addField(*grid, tr("Optimise"), m_optimization, 2, 0);
    addField(*grid, tr("Threads"), m_threads, 2, 2);
    addField(*grid, tr("At most"), m_seconds, 3, 0);
    addField(*grid, tr("Seed"), m_seed, 3, 2);
    for (const char *level : {"none", "basic", "extended", "all"})
        m_optimization->addItem(QString::fromLatin1(level));
    m_optimization->setToolTip(tr("What the backend may change in the graph before it runs it"));
    m_target->setToolTip(tr("Where the backend runs; targets.json has those beside this machine"));
    m_threads->setRange(0, 1024);
    m_threads->setToolTip(tr("That compute; 0: as many as the backend wants"));
    m_threads->setSpecialValueText(tr("auto"));
    m_seconds->setRange(0.1, 3600);
    m_seconds->setDecimals(1);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setToolTip(tr("How long a profile takes at most: once as it is, once with a clock at each node"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setToolTip(tr("Of the random numbers in the inputs"));
    for (QComboBox *box : {m_backend, m_target, m_optimization})
        connect(box, &QComboBox::activated, this, &WishesForm::take);
    for (QSpinBox *box : {m_threads, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &WishesForm::take);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &WishesForm::take);
    for (QAbstractSpinBox *box : std::initializer_list<QAbstractSpinBox *>{m_threads, m_seed, m_seconds})
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    for (QWidget *field :
         std::initializer_list<QWidget *>{m_backend, m_target, m_optimization, m_threads, m_seed, m_seconds})
        field->setFixedHeight(fieldHeight);
    setFocusProxy(m_backend);
    fill();
}

void WishesForm::addField(QGridLayout &grid, const QString &name, QWidget *field, int row, int column, int span)
{
    auto *label = new QLabel(name, this);
    label->setBuddy(field);
    label->setForegroundRole(QPalette::PlaceholderText);
    field->setAccessibleName(name);
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // all of a column are as wide
    grid.addWidget(label, row, column);
    grid.addWidget(field, row, column + 1, 1, span);
}

void WishesForm::fillBackends()
{
    const Running &running = m_session.running();
    m_backend->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_backend->model());
    for (const run::Offer &offer : running.choices().backends) {
        const auto reason = running.obstacle(offer);
        const QString name = shown(offer.name);
        m_backend->addItem(reason ? tr("%1 (%2)").arg(name, shown(*reason)) : name, name);
        m_backend->setItemData(m_backend->count() - 1, toolTipText(shown(offer.description)), Qt::ToolTipRole);
        items->item(m_backend->count() - 1)->setEnabled(!reason);
    }
    m_backend->setCurrentIndex(m_backend->findData(shown(running.wishes().backend)));
    m_backend->setToolTip(running.offer() ? toolTipText(shown(running.offer()->description)) : QString());
}

void WishesForm::fill()
{
    const Running &running = m_session.running();
    const RunWishes &wishes = running.wishes();
    m_filling = true;
    fillBackends();
    m_target->clear();
    for (const std::string &target : running.choices().targets)
        m_target->addItem(shown(target));
    m_target->setCurrentText(shown(wishes.target));
    m_optimization->setCurrentText(shown(wishes.effort.optimization));
    m_threads->setValue(static_cast<int>(wishes.effort.threads));
    m_seed->setValue(static_cast<int>(wishes.seed));
    m_seconds->setValue(wishes.seconds);
    const run::Offer *offer = running.offer();
    for (QWidget *field : std::initializer_list<QWidget *>{m_target, m_optimization, m_threads})
        field->setEnabled(offer && offer->isPlugin());
    m_seconds->setEnabled(offer && offer->takesTimes);
    m_filling = false;
}

void WishesForm::take()
{
    if (m_filling)
        return;
    RunWishes wishes = m_session.running().wishes();
    wishes.backend = m_backend->currentData().toString().toStdString();
    wishes.target = m_target->currentText().toStdString();
    wishes.effort = {m_optimization->currentText().toStdString(), static_cast<std::uint64_t>(m_threads->value())};
    wishes.seed = static_cast<std::uint32_t>(m_seed->value());
    wishes.seconds = m_seconds->value();
    m_session.running().setWishes(std::move(wishes));
}

} // namespace cutaway::views
