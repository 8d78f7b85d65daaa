// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"

#include <memory>
#include <string>

namespace cutaway::passes {

/// Finds why lower-to-aten leaves nodes of ONNX as they are. Its rules are tried on a copy of the model, which is made
/// for the first question.
class LeftNodes {
public:
    /// `shapes` are those of the function. The arguments have to outlive the object.
    LeftNodes(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes);
    ~LeftNodes();
    LeftNodes(const LeftNodes &) = delete;
    LeftNodes &operator=(const LeftNodes &) = delete;

    /// Returns the reason as a clause: "there is no rule for it".
    std::string why(ir::NodeId node);

private:
    struct Trial;
    const ir::Model &m_model;
    ir::FunctionId m_function;
    const analysis::Shapes &m_shapes;
    std::unique_ptr<Trial> m_trial;
};

} // namespace cutaway::passes
