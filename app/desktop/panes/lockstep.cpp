// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/lockstep.h"

#include "app/desktop/model_page.h"
#include "app/desktop/panes/panes.h"
#include "views/graph/canvas.h"
#include "views/graph/in_step.h"

namespace cutaway::desktop {

Lockstep::Lockstep(const Panes &panes) : m_panes(panes)
{
    connect(&panes, &Panes::frontsChanged, this, &Lockstep::link);
}

Lockstep::~Lockstep() = default;

void Lockstep::setOn(bool isOn)
{
    if (isOn == m_isOn)
        return;
    m_isOn = isOn;
    unlink();
    link();
    emit onChanged();
}

bool Lockstep::isReady() const { return m_inStep && m_inStep->isReady(); }

void Lockstep::unlink() { m_inStep.reset(); }

/// Links the graphs in front, unless they are linked already, since a new link needs a comparison of the models.
void Lockstep::link()
{
    QList<views::Canvas *> all;
    views::Canvas *leader = nullptr;
    for (const ModelPage *page : m_panes.fronts()) {
        all += page->canvases();
        if (page == m_panes.current())
            leader = page->canvas();
    }
    if (!m_isOn || all.size() < 2)
        unlink();
    else if (!m_inStep || m_inStep->canvases() != all)
        m_inStep = std::make_unique<views::InStep>(all, leader ? *leader : *all.front());
}

} // namespace cutaway::desktop
