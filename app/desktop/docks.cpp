// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks.h"

#include "views/bindings/bindings.h"
#include "views/bookmarks/bookmarks.h"
#include "views/diagnostics/diagnostics.h"
#include "views/differences/differences.h"
#include "views/find/find.h"
#include "views/inspector/inspector.h"
#include "views/memory/memory.h"
#include "views/modules/modules.h"
#include "views/node_table/node_table.h"
#include "views/passes/passes.h"
#include "views/roofline/roofline.h"
#include "views/run/run.h"
#include "views/source/source.h"
#include "views/summary/summary.h"
#include "views/sweep/sweep.h"
#include "views/tensor/tensor.h"
#include "views/text_diff/text_diff.h"
#include "views/timeline/timeline.h"

namespace cutaway::desktop {

std::span<const Dock> docks()
{
    static constexpr Dock all[] = {
        {"modules", "Modules", Qt::LeftDockWidgetArea, views::makeModulesView, "Alt+1"},
        {"passes", "Passes", Qt::LeftDockWidgetArea, views::makePassesView, "Alt+2"},
        {"run", "Run", Qt::LeftDockWidgetArea, views::makeRunView, "Alt+3"},
        {"summary", "Model", Qt::RightDockWidgetArea, views::makeSummary, "Alt+4"},
        {"inspector", "Inspector", Qt::RightDockWidgetArea, views::makeInspector, "Alt+5", true},
        {"bindings", "Bindings", Qt::RightDockWidgetArea, views::makeBindingsView, "Alt+6"},
        {"nodes", "Nodes", Qt::BottomDockWidgetArea, views::makeNodeTable, "Alt+7"},
        {"memory", "Memory", Qt::BottomDockWidgetArea, views::makeMemoryView, "Alt+8"},
        {"roofline", "Roofline", Qt::BottomDockWidgetArea, views::makeRooflineView, "Alt+9"},
        {"sweep", "Sweep", Qt::BottomDockWidgetArea, views::makeSweepView, "Ctrl+Shift+V"},
        {"timeline", "Timeline", Qt::BottomDockWidgetArea, views::makeTimelineView, "Ctrl+Shift+T"},
        {"tensor", "Tensor", Qt::BottomDockWidgetArea, views::makeTensorView, "Ctrl+Shift+W"},
        {"text-diff", "Text diff", Qt::BottomDockWidgetArea, views::makeTextDiff, "Ctrl+Shift+X"},
        {"source", "Source", Qt::BottomDockWidgetArea, views::makeSourceView, "Ctrl+Shift+S"},
        {"differences", "Differences", Qt::BottomDockWidgetArea, views::makeDifferences, "Ctrl+Alt+D"},
        {"find", "Find", Qt::BottomDockWidgetArea, views::makeFindView, "Ctrl+F"},
        {"bookmarks", "Bookmarks", Qt::BottomDockWidgetArea, views::makeBookmarks, "Ctrl+Shift+B"},
        {"diagnostics", "Diagnostics", Qt::BottomDockWidgetArea, views::makeDiagnosticsView, "Ctrl+Shift+M"},
    };
    return all;
}

} // namespace cutaway::desktop
