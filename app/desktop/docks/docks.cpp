// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docks.h"

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
    using enum Dock::Group;
    static constexpr Dock all[] = {
        {"modules", "Modules", Qt::LeftDockWidgetArea, views::makeModulesView, "Alt+1", Beside, "reading.md"},
        {"passes", "Passes", Qt::LeftDockWidgetArea, views::makePassesView, "Alt+2", Beside, "passes.md"},
        {"run", "Run", Qt::LeftDockWidgetArea, views::makeRunView, "Alt+3", Beside, "running.md"},
        {"summary", "Model", Qt::RightDockWidgetArea, views::makeSummary, "Alt+4", Beside, "costs.md"},
        {"inspector", "Inspector", Qt::RightDockWidgetArea, views::makeInspector, "Alt+5", Selection, "reading.md"},
        {"bindings", "Bindings", Qt::RightDockWidgetArea, views::makeBindingsView, "Alt+6", Beside, "costs.md"},
        {"nodes", "Nodes", Qt::BottomDockWidgetArea, views::makeNodeTable, "Alt+7", Costs, "query.md"},
        {"memory", "Memory", Qt::BottomDockWidgetArea, views::makeMemoryView, "Alt+8", Costs, "costs.md"},
        {"roofline", "Roofline", Qt::BottomDockWidgetArea, views::makeRooflineView, "Alt+9", Costs, "costs.md"},
        {"sweep", "Sweep", Qt::BottomDockWidgetArea, views::makeSweepView, "Ctrl+Shift+V", Costs, "costs.md"},
        {"timeline", "Timeline", Qt::BottomDockWidgetArea, views::makeTimelineView, "Ctrl+Shift+T", Costs,
         "running.md"},
        {"tensor", "Tensor", Qt::BottomDockWidgetArea, views::makeTensorView, "Ctrl+Shift+W", Data, "reading.md"},
        {"source", "Source", Qt::BottomDockWidgetArea, views::makeSourceView, "Ctrl+Shift+S", Data, "reading.md"},
        {"text-diff", "Text diff", Qt::BottomDockWidgetArea, views::makeTextDiff, "Ctrl+Shift+X", Data, "passes.md"},
        {"differences", "Differences", Qt::BottomDockWidgetArea, views::makeDifferences, "Ctrl+Alt+D", Results,
         "diff.md"},
        {"find", "Find", Qt::BottomDockWidgetArea, views::makeFindView, "Ctrl+F", Results, "query.md"},
        {"bookmarks", "Bookmarks", Qt::BottomDockWidgetArea, views::makeBookmarks, "Ctrl+Shift+B", Results,
         "reading.md"},
        {"diagnostics", "Diagnostics", Qt::BottomDockWidgetArea, views::makeDiagnosticsView, "Ctrl+Shift+M", Results,
         "lint.md"},
    };
    return all;
}

} // namespace cutaway::desktop
