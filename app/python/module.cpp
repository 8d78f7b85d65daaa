// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/analysed.h"
#include "app/python/beside.h"
#include "app/python/conversion.h"
#include "app/python/graph.h"
#include "app/python/live.h"
#include "app/python/model.h"
#include "app/python/reports.h"
#include "app/python/shown/drawn.h"
#include "app/python/shown/paged.h"
#include "app/python/steps.h"
#include "app/python/survey.h"
#include "app/python/trace.h"
#include "app/python/weight.h"

namespace {

constexpr const char *moduleDoc =
    "Cutaway: what is in TorchScript, torch.export (.pt2) and ONNX files.\n\n"
    "Graphs, shapes, costs, passes, comparison and conversion without torch or onnx; nothing of a file is run.\n"
    "Long calls let other threads of Python run, and Ctrl+C stops them.";

} // namespace

NB_MODULE(cutaway, module)
{
    using namespace cutaway::python;
    nb::set_leak_warnings(false); // global variables may still hold models when Python ends
    module.doc() = moduleDoc;
    module.attr("__version__") = CUTAWAY_VERSION;
    bindError(module);
    bindWeight(module);
    bindGraph(module);
    bindAnalysis(module);
    bindModel(module);
    bindSteps(module);
    bindDifference(module);
    bindTrace(module);
    bindDrawing(module);
    bindPage(module);
    bindConversion(module);
    bindSurvey(module);
    bindRecording(module);
    bindLive(module);
    module.def("devices", deviceList, nb::sig("def devices() -> list[dict[str, typing.Any]]"),
               "The processors whose times can be estimated: a dict with 'id', 'name', 'source', 'memory_bytes',\n"
               "'bandwidth' in bytes/s, and peaks in FLOP/s: 'flops' by dtype, and 'vector_flops'.");
    module.def("pass_list", passList, nb::sig("def pass_list() -> dict[str, typing.Any]"),
               "All passes with their options, as 'cutaway-cli passes list --json' says them.");
}
