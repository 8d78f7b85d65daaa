// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <QComboBox>

namespace cutaway::views {

class Session;

/// The module whose changes are looked at: the whole graph, what is chosen, or one that holds what is selected.
class ScopeChoice : public QComboBox {
public:
    ScopeChoice(Session &session, QWidget *parent);

private:
    void fill();

    Session &m_session;
};

} // namespace cutaway::views
