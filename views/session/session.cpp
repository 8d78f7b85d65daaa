// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/session.h"

#include "core/analysis/module_sums.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/source_folders.h"
#include "views/session/stepping.h"

namespace cutaway::views {

Session::Session(std::shared_ptr<const ir::Model> model, std::shared_ptr<const analysis::ModuleSums> sums)
    : m_document(std::make_unique<Document>(std::move(model), std::move(sums))),
      m_running(std::make_unique<Running>(*m_document)),
      m_annotating(std::make_unique<Annotating>(*m_document, *m_running)),
      m_analysing(std::make_unique<Analysing>(*m_document, *m_running)),
      m_drawing(std::make_unique<Drawing>(*m_document, *m_analysing)),
      m_navigation(std::make_unique<Navigation>(*m_document, *m_drawing)),
      m_requests(std::make_unique<Requests>()),
      m_bookmarks(std::make_unique<Bookmarks>(*m_document, *m_navigation)),
      m_searching(std::make_unique<Searching>(*m_document, *m_annotating, *m_analysing, *m_drawing, *m_navigation)),
      m_stepping(std::make_unique<Stepping>(*m_document, *m_navigation, m_running->setup())),
      m_comparing(std::make_unique<Comparing>(*this)),
      m_sourceFolders(std::make_unique<SourceFolders>())
{
}

Session::~Session() = default;

void Session::start()
{
    m_navigation->start();
    m_analysing->start();
}

} // namespace cutaway::views
