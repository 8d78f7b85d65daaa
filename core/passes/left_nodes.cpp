// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/left_nodes.h"

#include "core/base/task.h"
#include "core/rewrite/layouts.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/onnx_node.h"

#include <utility>

namespace cutaway::passes {

struct LeftNodes::Trial {
    Trial(ir::Model of, ir::FunctionId function, const analysis::Shapes &shapes)
        : model(std::move(of)),
          rewriter(
              model, function, [&shapes]() -> const analysis::Shapes & { return shapes; }, task),
          layouts(rewriter)
    {
    }
    ir::Model model;
    Task task;
    rewrite::Rewriter rewriter;
    rewrite::Layouts layouts;
};

LeftNodes::LeftNodes(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes)
    : m_model(model),
      m_function(function),
      m_shapes(shapes)
{
}

LeftNodes::~LeftNodes() = default;

std::string LeftNodes::why(ir::NodeId node)
{
    if (!m_trial)
        m_trial = std::make_unique<Trial>(m_model, m_function, m_shapes);
    rules::to_aten::OnnxNode tried(m_trial->rewriter, m_trial->layouts, m_trial->rewriter.node(node));
    tried.made();
    return tried.whyNot();
}

} // namespace cutaway::passes
