// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/frame.h"
#include "core/formats/torchscript/lowering/graph_lowering.h"

namespace cutaway::formats::torchscript {

/// Lowers calls of operators: to the constant that torch computes, else to a node of the overload that fits.
class OperatorLowering {
public:
    OperatorLowering(GraphLowering &graph, Frame &frame) : m_graph(graph), m_frame(frame) { }

    /// As many results as there are hints, the names that the code gives them.
    std::vector<Typed> lower(OperatorCall call, Position position, std::span<const std::string_view> hints);
    /// An operation in an expression: one result, or None if it has none.
    Typed lower(OperatorCall call, Position position, std::string_view hint);
    /// The items of a tuple or list, as many as there are hints.
    std::vector<Typed> unpack(Typed value, std::span<const std::string_view> hints, Position position);
    /// Makes a list literal, which could stand wherever its name is read, the result of a node, if the function may
    /// change it under that name.
    void fixList(Typed &value, const Facts &function, std::string_view name, Position position);

private:
    Typed called(const FunctionDefinition &function, OperatorCall call, Position position);

    GraphLowering &m_graph;
    Frame &m_frame;
};

} // namespace cutaway::formats::torchscript
