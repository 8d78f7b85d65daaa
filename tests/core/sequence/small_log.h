// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/digests/md5.h"
#include "core/base/formatted.h"

#include <string>
#include <string_view>

namespace cutaway::test {

/// A record of a structured log: `kind` is JSON, such as `"dynamo_start": {}`, `id` names the compilation.
inline std::string record(std::string_view kind, std::string_view id, std::string_view payload = {})
{
    std::string json = formatted("{{{}, {}", kind, id);
    std::string text;
    if (!payload.empty()) {
        Md5 sum;
        sum.add(payload);
        json += formatted(R"(, "has_payload": "{}")", sum.finish());
        text = "\t";
        for (const char each : payload)
            text += each == '\n' ? std::string("\n\t") : std::string(1, each);
        text += "\n";
    }
    return "V1127 09:42:10.020000 2 torch/a.py:1] " + json + "}\n" + text;
}

/// A log as TORCH_TRACE writes it of a model that is trained: one attempt that ends in a graph break and is restarted;
/// the next one with a forward of six graphs, one of which changes nothing, and a backward; a recompilation that fails;
/// and code without a graph.
inline std::string smallLog()
{
    constexpr std::string_view given = "class GraphModule(torch.nn.Module):\n"
                                       "    def forward(self, x: \"f32[4]\"):\n"
                                       "        a: \"f32[4]\" = torch.relu(x)\n"
                                       "        return (a,)";
    constexpr std::string_view joint = "class joint_helper(torch.nn.Module):\n"
                                       "    def forward(self, primals_1: \"f32[4]\", tangents_1: \"f32[4]\"):\n"
                                       "        relu: \"f32[4]\" = torch.ops.aten.relu.default(primals_1)\n"
                                       "        le: \"b8[4]\" = torch.ops.aten.le.Scalar(relu, 0)\n"
                                       "        where: \"f32[4]\" = torch.ops.aten.where.self(le, relu, tangents_1)\n"
                                       "        return (relu, where)";
    constexpr std::string_view forward = "class GraphModule(torch.nn.Module):\n"
                                         "    def forward(self, primals_1: \"f32[4]\"):\n"
                                         "        relu: \"f32[4]\" = torch.ops.aten.relu.default(primals_1)\n"
                                         "        view: \"f32[4]\" = torch.ops.aten.view.default(relu, [4])\n"
                                         "        le: \"b8[4]\" = torch.ops.aten.le.Scalar(view, 0)\n"
                                         "        return (view, le)";
    constexpr std::string_view withoutView = "class GraphModule(torch.nn.Module):\n"
                                             "    def forward(self, primals_1: \"f32[4]\"):\n"
                                             "        relu: \"f32[4]\" = torch.ops.aten.relu.default(primals_1)\n"
                                             "        le: \"b8[4]\" = torch.ops.aten.le.Scalar(relu, 0)\n"
                                             "        return (relu, le)";
    constexpr std::string_view backward = "class GraphModule(torch.nn.Module):\n"
                                          "    def forward(self, le: \"b8[4]\", tangents_1: \"f32[4]\"):\n"
                                          "        neg: \"f32[4]\" = torch.ops.aten.neg.default(tangents_1)\n"
                                          "        where: \"f32[4]\" = torch.ops.aten.where.self(le, neg, tangents_1)\n"
                                          "        return (where,)";
    constexpr std::string_view first = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    constexpr std::string_view second = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 1)";
    constexpr std::string_view third = R"("frame_id": 0, "frame_compile_id": 1, "attempt": 0)";
    constexpr std::string_view fourth = R"("frame_id": 1, "frame_compile_id": 0, "attempt": 0)";
    constexpr std::string_view start = R"("dynamo_start": {"stack": []})";
    constexpr std::string_view code = R"("inductor_output_code": {"filename": "a.py"})";
    return record(start, first)
        + record(R"("artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"})", first,
                 "Graph break in user code at model.py:119\nReason: Unsupported: builtin: print\nUser code traceback:\n"
                 "  File \"model.py\", line 119, in forward")
        + record(start, second) + record(R"("dynamo_output_graph": {})", second, given)
        + record(R"("dynamo_guards": {})", second, R"([{"code": "x.shape == 4"}])")
        + record(R"("aot_joint_graph": {})", second, joint) + record(R"("aot_forward_graph": {})", second, forward)
        + record(R"("aot_backward_graph": {})", second, backward)
        + record(R"("artifact": {"name": "before_view_to_reshape", "encoding": "string"})", second, forward)
        + record(R"("artifact": {"name": "after_remove_noops", "encoding": "string"})", second, withoutView)
        + record(R"("inductor_post_grad_graph": {})", second, withoutView)
        + record(code, second, "# AOT ID: ['0_forward']\nbuf0 = empty()")
        + record(R"("compilation_metrics": {"co_name": "forward", "co_filename": "/project/model.py", )"
                 R"("co_firstlineno": 112})",
                 second)
        + record(R"("inductor_post_grad_graph": {})", second, backward)
        + record(code, second, "# AOT ID: ['0_backward']\nbuf1 = empty()")
        + record(R"("artifact": {"name": "recompile_reasons", "encoding": "json"})", third,
                 R"(["0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"])")
        + record(R"("compilation_metrics": {"co_name": "forward", "fail_type": "Unsupported"})", third)
        + record(start, fourth) + record(R"("compilation_metrics": {"co_name": "step"})", fourth);
}

} // namespace cutaway::test
