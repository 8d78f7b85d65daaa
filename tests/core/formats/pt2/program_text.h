// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "tests/core/formats/zip_writer.h"

#include <string>
#include <vector>

namespace cutaway::tests {

/// The JSON of a small exported program; the defaults are x → relu → y on float32[2, s0].
struct ProgramText {
    std::string inputs = R"({"as_tensor":{"name":"x"}})";
    std::string outputs = R"({"as_tensor":{"name":"y"}})";
    std::string nodes =
        R"({"target":"torch.ops.aten.relu.default","inputs":[{"name":"self","arg":{"as_tensor":{"name":"x"}},"kind":1}],)"
        R"("outputs":[{"as_tensor":{"name":"y"}}],"metadata":{},"name":"y"})";
    std::string values = tensorValue("x") + "," + tensorValue("y");
    std::string numbers = R"("sym_int_values":{},"sym_float_values":{},"sym_bool_values":{},"custom_obj_values":{})";
    std::string inputSpecs = R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}})";
    std::string outputSpecs = R"({"user_output":{"arg":{"as_tensor":{"name":"y"}}}})";
    std::string moduleCalls;
    std::string ranges = R"("s0":{"min_val":2,"max_val":null})";
    std::string version = R"({"major":8,"minor":20})";

    static std::string size(const std::string &n)
    {
        return n.find_first_not_of("0123456789-") == n.npos
            ? formatted(R"({{"as_int":{}}})", n)
            : formatted(R"j({{"as_expr":{{"expr_str":"Symbol('{}', integer=True)","hint":{{"as_int":5}}}}}})j", n);
    }
    static std::string tensorMeta(const std::string &first = "2", const std::string &second = "s0", int offset = 0)
    {
        return formatted(R"({{"dtype":7,"sizes":[{},{}],"requires_grad":false,"device":{{"type":"cpu","index":null}},)"
                         R"("strides":[{},{{"as_int":1}}],"storage_offset":{{"as_int":{}}},"layout":7}})",
                         size(first), size(second), size(second), offset);
    }
    static std::string tensorValue(const std::string &name, const std::string &first = "2",
                                   const std::string &second = "s0")
    {
        return formatted(R"("{}":{})", name, tensorMeta(first, second));
    }
    /// {"target":…}: arguments and outputs as JSON lists without their brackets
    static std::string node(const std::string &target, const std::string &arguments, const std::string &results,
                            const std::string &rest = R"("metadata":{})")
    {
        return formatted(R"({{"target":"{}","inputs":[{}],"outputs":[{}],{}}})", target, arguments, results, rest);
    }
    static std::string argument(const std::string &name, const std::string &value)
    {
        return formatted(R"({{"name":"{}","arg":{}}})", name, value);
    }
    static std::string tensor(const std::string &name) { return formatted(R"({{"as_tensor":{{"name":"{}"}}}})", name); }

    std::string graph() const
    {
        return formatted(R"({{"inputs":[{}],"outputs":[{}],"nodes":[{}],"tensor_values":{{{}}},{},)"
                         R"("is_single_tensor_return":false}})",
                         inputs, outputs, nodes, values, numbers);
    }
    std::string json() const
    {
        return formatted(R"({{"graph_module":{{"graph":{},"signature":{{"input_specs":[{}],"output_specs":[{}]}},)"
                         R"("module_call_graph":[{}],"metadata":{{}}}},"opset_version":{{"aten":10}},)"
                         R"("range_constraints":{{{}}},"schema_version":{},"verifiers":["TRAINING"],)"
                         R"("torch_version":"2.14.0"}})",
                         graph(), inputSpecs, outputSpecs, moduleCalls, ranges, version);
    }
};

/// An archive of torch 2.8 and later with this program and what else is given, below the folder "net".
inline std::string folderArchive(const std::string &json, const std::vector<ZipEntry> &more = {})
{
    std::vector<ZipEntry> entries{{"net/archive_format", "pt2"}, {"net/models/model.json", json}};
    for (const ZipEntry &entry : more)
        entries.push_back({"net/" + entry.name, entry.content});
    return zipArchive(entries, ZipStyle::PyTorch);
}

/// An archive of torch 2.1 to 2.7.
inline std::string flatArchive(const std::string &json, const std::vector<ZipEntry> &more = {})
{
    std::vector<ZipEntry> entries{{"serialized_exported_program.json", json}, {"version", "8.2"}};
    entries.insert(entries.end(), more.begin(), more.end());
    return zipArchive(entries);
}

} // namespace cutaway::tests
