// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

namespace {

Result<void> runFixDefaults(rewrite::Rewriter &rewriter, const Settings &)
{
    for (std::size_t i = rewriter.function().inputs.size(); i-- > 0;)
        if (ir::isOverridable(rewriter.function().inputs[i]))
            rewriter.removeInput(i);
    return {};
}

} // namespace

extern const Pass fixDefaults;
const Pass fixDefaults{"fix-defaults",
                       "Makes constants of weights that are inputs, too: callers can replace them no longer; of ONNX.",
                       {},
                       runFixDefaults,
                       false};

} // namespace cutaway::passes
