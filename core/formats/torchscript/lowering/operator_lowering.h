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

    /// Lowers a call to as many results as there are hints, which are the names that the code gives them.
    std::vector<Typed> lower(OperatorCall call, Position position, std::span<const std::string_view> hints);
    /// Lowers an operation in an expression to its one result, or None if it has none.
    Typed lower(OperatorCall call, Position position, std::string_view hint);
    /// Takes a tuple or list apart into as many items as there are hints.
    std::vector<Typed> unpack(Typed value, std::span<const std::string_view> hints, Position position);
    /// Turns a list literal, which could stand wherever its name is read, into the result of a node, if the function
    /// may change the list under that name.
    void fixList(Typed &value, const Facts &function, std::string_view name, Position position);

private:
    std::vector<Typed> append(OperatorCall call, Position position, std::span<const std::string_view> hints);
    Typed called(const FunctionDefinition &function, OperatorCall call, Position position);

    GraphLowering &m_graph;
    Frame &m_frame;
};

} // namespace cutaway::formats::torchscript
