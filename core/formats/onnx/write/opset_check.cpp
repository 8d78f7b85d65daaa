// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/write/opset_check.h"

#include "core/base/formatted.h"
#include "core/formats/notes/notes.h"
#include "core/formats/unusable.h"
#include "core/ops/onnx_versions.h"

namespace cutaway::formats::onnx {

void checkOperator(const ir::NodeRef &node, std::int64_t opset, const std::vector<std::string_view> &graphAttributes)
{
    if (node.dialect() != "onnx")
        return;
    if (const auto reason = ops::whyNotInOpset(node.opName(), opset);
        reason && !ops::isInEachOpsetOfOnnxRuntime(node.opName()))
        unwritable(*reason, shown(node));
    const ops::OnnxOperator *allowed = node->origins.empty() ? nullptr : ops::onnxVersionIn(node.opName(), opset);
    if (!allowed || allowed->deprecated)
        return;
    if (const auto excess = ops::excessOf(node, *allowed, graphAttributes))
        unwritable(formatted("a pass made a {} with {}, which opset {} does not have", node.opName(), *excess, opset),
                   shown(node));
}

} // namespace cutaway::formats::onnx
