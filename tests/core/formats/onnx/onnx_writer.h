// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Writes ONNX files for tests, field by field as they stand in onnx.proto.
namespace onnxtest {

/// A protobuf message under construction.
struct Proto {
    std::string bytes;

    Proto &number(int field, std::uint64_t value);
    Proto &fixed32(int field, float value);
    Proto &text(int field, std::string_view value);
    Proto &message(int field, const Proto &value) { return text(field, value.bytes); }
    Proto &raw(std::string_view value);
};

struct Dim {
    std::int64_t size = 0;
    std::string name; ///< if not empty, instead of the size
    Dim(int n) : size(n) { }
    Dim(const char *s) : name(s) { }
};

Proto tensorType(int dataType, const std::vector<Dim> &dims);
Proto value(std::string_view name, const Proto &type);
Proto node(std::string_view type, const std::vector<std::string> &inputs, const std::vector<std::string> &outputs,
           std::string_view name = "");
Proto intAttribute(std::string_view name, std::int64_t n);
Proto graphAttribute(std::string_view name, const Proto &graph);
/// float32, bytes of zeros
Proto floats(std::string_view name, const std::vector<std::int64_t> &dims);
Proto entry(std::string_view key, std::string_view text);

/// A GraphProto; add further fields to it.
Proto graph(const std::vector<Proto> &nodes, const std::vector<Proto> &inputs, const std::vector<Proto> &outputs,
            const std::vector<Proto> &initializers = {});
/// A ModelProto of IR version 8 and operator set 17 around a graph.
Proto model(const Proto &graph, std::uint64_t irVersion = 8);

cutaway::Result<cutaway::ir::Model> read(const Proto &model, const std::string &path = "model.onnx");
/// Like above, for models that must be read and verified; fails the test and returns an empty model otherwise.
cutaway::ir::Model opened(const Proto &model, const std::string &path = "model.onnx");

/// A node in one line: "%y = onnx::Conv(%x, None, alpha=1)" of what the tests need.
std::string print(const cutaway::ir::Model &model, const cutaway::ir::Graph &graph, cutaway::ir::NodeId node);
/// Every node of a region, a line each.
std::string print(const cutaway::ir::Model &model, const cutaway::ir::Graph &graph,
                  cutaway::ir::RegionId region = cutaway::ir::Graph::body);
std::string diagnostics(const cutaway::ir::Model &model);

} // namespace onnxtest
