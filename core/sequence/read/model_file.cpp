// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/model_file.h"

#include "core/analysis/counts.h"
#include "core/ir/text/text.h"
#include "core/plugin/importing.h"

#include <functional>

namespace cutaway::sequence {

Result<Outline> outlineOfModel(const std::string &path, const Task &task)
{
    CUTAWAY_TRY(const ir::Model model, plugin::open(path, task));
    Outline outline{.nodes = 0, .fingerprint = 0, .isWhole = true};
    if (model.functions.empty())
        return outline;
    outline.nodes = static_cast<std::uint64_t>(analysis::countNodes(model.functions.front().graph));
    outline.fingerprint = std::hash<std::string>{}(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading));
    return outline;
}

} // namespace cutaway::sequence
