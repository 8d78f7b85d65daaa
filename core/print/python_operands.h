// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// Prints operands as Python literals: True, torch.float16, torch.device("cuda:0"), float('inf'), (x,), "text".
class PythonOperands {
public:
    enum class Devices : std::uint8_t {
        Code, ///< torch.device("cuda:0"), which Python can run
        Repr  ///< device(type='cuda', index=0), as Python's repr() prints it
    };

    /// `value` and `tensor` return the names of values and tensors.
    PythonOperands(const ir::Model &model, std::function<std::string(ir::ValueId)> value,
                   std::function<std::string(ir::TensorId)> tensor, Devices devices = Devices::Code);

    std::string print(const ir::Operand &operand) const;
    /// Returns the operands separated by ", ".
    std::string joined(std::span<const ir::Operand> operands) const;
    std::string call(ir::ValueId value) const { return m_value(value); }

private:
    struct Printer;

    const ir::Model &m_model;
    std::function<std::string(ir::ValueId)> m_value;
    std::function<std::string(ir::TensorId)> m_tensor;
    Devices m_devices;
};

/// Returns a type as a Python annotation: "Tensor", "List[int]", "Optional[Tensor]"; "Any" if unknown.
std::string annotation(const ir::Context &context, ir::TypeId type);

/// Returns the Python name of an operator: "torch.conv2d", "ops.prim.NumToTensor", "onnx.Conv", "operator.add".
std::string callee(const ir::Model &model, ir::OpId op);

/// Returns the target that torch.fx prints for a call: "torch.ops.aten.conv2d.default", "onnx.Conv", "_operator.add".
std::string fxTarget(const ir::Model &model, ir::OpId op);

} // namespace cutaway::print
