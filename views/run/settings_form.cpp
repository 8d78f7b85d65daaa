// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/settings_form.h"

#include "core/base/overloaded.h"
#include "views/parts/text.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <functional>
#include <limits>

namespace cutaway::views {
namespace {

constexpr int fieldHeight = 30;

/// A box whose items are asked for when the user opens it.
class DeviceBox : public QComboBox {
public:
    DeviceBox(std::function<void()> ask, QWidget *parent) : QComboBox(parent), m_ask(std::move(ask)) { }

    void showPopup() override
    {
        m_ask();
        QComboBox::showPopup();
    }

private:
    std::function<void()> m_ask;
};

} // namespace

SettingsForm::SettingsForm(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_backend(new QComboBox(this)),
      m_reference(new QComboBox(this)),
      m_target(new QComboBox(this)),
      m_device(new DeviceBox([&session] { session.running().setup().findDevices(); }, this)),
      m_optimization(new QComboBox(this)),
      m_threads(new QSpinBox(this)),
      m_seed(new QSpinBox(this)),
      m_seconds(new QDoubleSpinBox(this)),
      m_libraries(new QLineEdit(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(12, 4, 12, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    addField(*grid, tr("Backend"), m_backend, 0, 0, 3);
    addField(*grid, tr("Target"), m_target, 1, 0, 3);
    addField(*grid, tr("Device"), m_device, 2, 0, 3);
    addField(*grid, tr("Optimise"), m_optimization, 3, 0);
    addField(*grid, tr("Threads"), m_threads, 3, 2);
    addField(*grid, tr("Time limit"), m_seconds, 4, 0);
    addField(*grid, tr("Seed"), m_seed, 4, 2);
    addField(*grid, tr("Libraries"), m_libraries, 5, 0, 3);
    addField(*grid, tr("Reference"), m_reference, 6, 0, 3);
    for (const char *level : {"none", "basic", "extended", "all"})
        m_optimization->addItem(QString::fromLatin1(level));
    m_optimization->setToolTip(tr("Graph optimisation level of the backend"));
    m_target->setToolTip(tr("Machine that runs the backend; other machines are configured in targets.json"));
    m_device->setToolTip(tr("Device to run on"));
    m_reference->setToolTip(tr("Reference backend: Run with statistics compares all values with its values"));
    m_threads->setRange(0, 1024);
    m_threads->setToolTip(tr("Threads to compute with; 0: the backend's default"));
    m_threads->setSpecialValueText(tr("auto"));
    m_seconds->setRange(0.1, 3600);
    m_seconds->setDecimals(1);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setToolTip(tr("Time limit for each half of a profile: whole runs, then runs with per-node timing"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setToolTip(tr("Seed of the random inputs"));
    m_libraries->setPlaceholderText(tr("none"));
    m_libraries->setToolTip(
        tr("Custom operator libraries to load first, such as libmyops.so, with colons between them"));
    connect(m_libraries, &QLineEdit::editingFinished, this, &SettingsForm::take);
    for (QComboBox *box : {m_backend, m_reference, m_target, m_device, m_optimization})
        connect(box, &QComboBox::activated, this, &SettingsForm::take);
    for (QSpinBox *box : {m_threads, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &SettingsForm::take);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &SettingsForm::take);
    for (QAbstractSpinBox *box : std::initializer_list<QAbstractSpinBox *>{m_threads, m_seed, m_seconds})
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    for (QWidget *field : std::initializer_list<QWidget *>{m_backend, m_reference, m_target, m_device, m_optimization,
                                                           m_threads, m_seed, m_seconds, m_libraries})
        field->setFixedHeight(fieldHeight);
    connect(&session.running().setup().devices(), &BackendDevices::changed, this, &SettingsForm::fillDevices);
    setFocusProxy(m_backend);
    fill();
}

void SettingsForm::addField(QGridLayout &grid, const QString &name, QWidget *field, int row, int column, int span)
{
    auto *label = new QLabel(name, this);
    label->setBuddy(field);
    label->setForegroundRole(QPalette::PlaceholderText);
    field->setAccessibleName(name);
    // A field has the width of its column, whatever it contains.
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    grid.addWidget(label, row, column);
    grid.addWidget(field, row, column + 1, 1, span);
}

void SettingsForm::fillBackends()
{
    const Running &running = m_session.running();
    m_backend->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_backend->model());
    for (const run::Offer &offer : running.setup().choices().backends) {
        const auto reason = running.setup().obstacle(offer);
        const QString name = shown(offer.name);
        m_backend->addItem(reason ? tr("%1 (%2)").arg(name, shown(*reason)) : name, name);
        m_backend->setItemData(m_backend->count() - 1, toolTipText(shown(offer.description)), Qt::ToolTipRole);
        items->item(m_backend->count() - 1)->setEnabled(!reason);
    }
    m_backend->setCurrentIndex(m_backend->findData(shown(running.setup().settings().backend)));
    m_backend->setToolTip(running.setup().offer() ? toolTipText(shown(running.setup().offer()->description))
                                                  : QString());
}

/// Lists the backends that can run the function, without the chosen one.
void SettingsForm::fillReferences()
{
    const Running &running = m_session.running();
    m_reference->clear();
    m_reference->addItem(tr("none"), QString());
    for (const run::Offer &offer : running.setup().choices().backends)
        if (offer.name != running.setup().settings().backend && !running.setup().obstacle(offer))
            m_reference->addItem(shown(offer.name), shown(offer.name));
    m_reference->setCurrentIndex(std::max(m_reference->findData(shown(running.setup().settings().reference)), 0));
    m_reference->setEnabled(m_reference->count() > 1);
}

/// Lists the processor, the backend's devices, and the chosen one.
void SettingsForm::fillDevices()
{
    const bool isOpen = m_device->view()->isVisible();
    if (isOpen)
        m_device->hidePopup();
    const std::string &chosen = m_session.running().setup().settings().options.device;
    m_device->clear();
    m_device->addItem(tr("cpu"), QString());
    const auto addNote = [this](const QString &text) {
        m_device->addItem(text);
        qobject_cast<QStandardItemModel *>(m_device->model())->item(m_device->count() - 1)->setEnabled(false);
    };
    const auto addDevice = [this](const protocol::Devices::Device &device) {
        const QString id = shown(device.id);
        if (device.id == "cpu")
            m_device->setItemText(0, device.name.empty() ? id : tr("%1: %2").arg(id, shown(device.name)));
        else
            m_device->addItem(device.name.empty() ? id : tr("%1: %2").arg(id, shown(device.name)), id);
    };
    std::visit(Overloaded{[](BackendDevices::NotAsked) {},
                          [&](BackendDevices::Asked) { addNote(tr("Asking the backend…")); },
                          [&](const BackendDevices::Devices &devices) { std::ranges::for_each(devices, addDevice); },
                          [&](const Error &error) { addNote(shown(error.text())); }},
               m_session.running().setup().devices().state());
    if (m_device->findData(shown(chosen)) < 0)
        addDevice({chosen, "", 0});
    m_device->setCurrentIndex(m_device->findData(shown(chosen)));
    if (isOpen)
        m_device->QComboBox::showPopup(); // QComboBox's own function, which does not ask the backend again
}

void SettingsForm::fill()
{
    const Running &running = m_session.running();
    const RunSettings &settings = running.setup().settings();
    m_filling = true;
    fillBackends();
    fillReferences();
    m_target->clear();
    for (const std::string &target : running.setup().choices().targets)
        m_target->addItem(shown(target));
    m_target->setCurrentText(shown(settings.target));
    fillDevices();
    m_optimization->setCurrentText(shown(settings.options.optimization));
    m_threads->setValue(static_cast<int>(settings.options.threads));
    m_seed->setValue(static_cast<int>(settings.seed));
    m_seconds->setValue(settings.seconds);
    QStringList libraries;
    for (const std::string &path : settings.options.libraries)
        libraries.append(shown(path));
    m_libraries->setText(libraries.join(':'));
    const run::Offer *offer = running.setup().offer();
    for (QWidget *field : std::initializer_list<QWidget *>{m_target, m_device, m_optimization, m_threads, m_libraries})
        field->setEnabled(offer && offer->isPlugin());
    m_seconds->setEnabled(offer && offer->takesTimes);
    m_filling = false;
}

std::vector<std::string> SettingsForm::libraries() const
{
    std::vector<std::string> paths;
    for (const QString &path : m_libraries->text().split(':', Qt::SkipEmptyParts))
        paths.push_back(path.trimmed().toStdString());
    return paths;
}

void SettingsForm::take()
{
    if (m_filling)
        return;
    RunSettings settings = m_session.running().setup().settings();
    settings.backend = m_backend->currentData().toString().toStdString();
    settings.reference = m_reference->currentData().toString().toStdString();
    settings.target = m_target->currentText().toStdString();
    settings.options = {m_optimization->currentText().toStdString(), static_cast<std::uint64_t>(m_threads->value()),
                        m_device->currentData().toString().toStdString(), libraries()};
    settings.seed = static_cast<std::uint32_t>(m_seed->value());
    settings.seconds = m_seconds->value();
    m_session.running().setup().setSettings(std::move(settings));
}

} // namespace cutaway::views
