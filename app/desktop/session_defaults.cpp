// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session_defaults.h"

#include "app/desktop/run_choices.h"
#include "core/analysis/known_devices.h"
#include "core/plugin/interpreter.h"
#include "core/plugin/plugin_passes.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/source_folders.h"
#include "views/session/stepping.h"

#include <QSettings>

namespace cutaway::desktop {

SessionDefaults::SessionDefaults(QSettings &settings) : m_settings(settings)
{
    const auto measure = std::size_t(settings.value("colouring", -1).toInt());
    if (measure < views::allMeasures.size())
        m_colouring = views::allMeasures[measure];
    if (auto device = analysis::findDevice(settings.value("device").toString().toStdString()))
        m_device = std::move(*device);
    // A value of the environment variable takes precedence over the choice of an earlier session.
    const QString python = settings.value("python").toString();
    if (!python.isEmpty() && qEnvironmentVariableIsEmpty(plugin::pythonVariable))
        qputenv(plugin::pythonVariable, python.toUtf8());
}

void SessionDefaults::prepare(views::Session &session) const
{
    usePlugins(session);
    session.navigation().setShowsMap(m_settings.value("map", true).toBool());
    session.sourceFolders().setPaths(m_settings.value("source-folders").toStringList());
    if (m_colouring != views::Colouring(views::Measure::Measured)) // a new session has no measured times to colour by
        session.analysing().setColouring(m_colouring);
    if (m_device)
        session.analysing().setDevice(*m_device);
}

void SessionDefaults::follow(views::Session &session, QObject &context)
{
    QObject::connect(&session.sourceFolders(), &views::SourceFolders::changed, &context,
                     [this, &session] { m_settings.setValue("source-folders", session.sourceFolders().paths()); });
    QObject::connect(&session.analysing(), &views::Analysing::deviceChanged, &context, [this, &session] {
        m_device = session.analysing().device();
        m_settings.setValue("device", views::shown(m_device->id));
    });
}

void SessionDefaults::setColouring(const views::Colouring &colouring)
{
    if (!std::holds_alternative<views::ByColumn>(colouring))
        m_colouring = colouring;
}

void SessionDefaults::keepColouring(const views::Colouring &colouring)
{
    if (std::holds_alternative<views::ByColumn>(colouring))
        return;
    const auto *measure = std::get_if<views::Measure>(&colouring);
    m_settings.setValue("colouring", measure ? int(*measure) : -1);
    setColouring(colouring);
}

void SessionDefaults::keepPython(const QString &path)
{
    m_settings.setValue("python", path);
    if (path.isEmpty())
        qunsetenv(plugin::pythonVariable);
    else
        qputenv(plugin::pythonVariable, path.toUtf8());
}

void usePlugins(views::Session &session)
{
    session.stepping().chosen().setOtherPasses(plugin::foundPasses());
    session.running().setup().setChoices(foundRunChoices());
}

} // namespace cutaway::desktop
