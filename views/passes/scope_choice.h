// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <QComboBox>

namespace cutaway::views {

class Document;
class Navigation;
class Session;
class Stepping;

/// A box to choose the module whose changes are shown: the whole graph, or a module around the selection.
class ScopeChoice : public QComboBox {
public:
    ScopeChoice(Session &session, QWidget *parent);

private:
    void fill();

    Document &m_document;
    Navigation &m_navigation;
    Stepping &m_stepping;
};

} // namespace cutaway::views
