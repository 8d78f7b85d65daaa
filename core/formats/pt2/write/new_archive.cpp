// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/new_archive.h"

#include "core/formats/archive/zip_writer.h"

#include <string_view>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::string_view program =
    R"({"graph_module":{"graph":{"inputs":[],"outputs":[],"nodes":[],"tensor_values":{},"sym_int_values":{},)"
    R"("sym_bool_values":{},"sym_float_values":{},"custom_obj_values":{},"is_single_tensor_return":false},)"
    R"("signature":{"input_specs":[],"output_specs":[]},"module_call_graph":[{"fqn":"","signature":{"inputs":[],)"
    R"("outputs":[],"in_spec":"[1,{\"type\":\"builtins.tuple\",\"context\":\"null\",\"children_spec\":[)"
    R"({\"type\":\"builtins.tuple\",\"context\":\"null\",\"children_spec\":[]},)"
    R"({\"type\":\"builtins.dict\",\"context\":\"[]\",\"children_spec\":[]}]}]",)"
    R"("out_spec":"[1,{\"type\":\"builtins.tuple\",\"context\":\"null\",\"children_spec\":[]}]",)"
    R"("forward_arg_names":[]}}],"metadata":{}},"opset_version":{"aten":10},"range_constraints":{},)"
    R"("schema_version":{"major":8,"minor":2},"verifiers":["TRAINING"],"torch_version":"2.6.0"})";

} // namespace

void writeNewArchive(OutputFile &file)
{
    archive::ZipWriter zip(file);
    zip.add("serialized_exported_program.json", program);
    for (const std::string_view name :
         {"serialized_state_dict.pt", "serialized_constants.pt", "serialized_example_inputs.pt"})
        zip.add(name, "");
    zip.add("version", "8.2");
    zip.finish();
}

} // namespace cutaway::formats::pt2
