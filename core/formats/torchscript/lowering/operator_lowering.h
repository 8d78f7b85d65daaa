// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/frame.h"
#include "core/formats/torchscript/lowering/graph_lowering.h"

namespace cutaway::formats::torchscript {

/// Lowers calls of operators: to the constant that torch computes, or else to a node of the overload that fits.
class OperatorLowering {
public:
    OperatorLowering(GraphLowering &graph, Frame &frame) : m_graph(graph), m_frame(frame) { }

    /// Lowers a call to one result for each hint; hints are the names of the results in the code.
    std::vector<Typed> lower(OperatorCall call, Position position, std::span<const std::string_view> hints);
    /// Lowers an operation in an expression and returns its only result; None if it has none.
    Typed lower(OperatorCall call, Position position, std::string_view hint);
    /// Unpacks a tuple or list into one item for each hint.
    std::vector<Typed> unpack(Typed value, std::span<const std::string_view> hints, Position position);
    /// Turns a list literal, which could otherwise take the place of its name wherever that is read, into the result
    /// of a node if the function may change the list under that name.
    void fixList(Typed &value, const Facts &function, std::string_view name, Position position);

private:
    std::vector<Typed> append(OperatorCall call, Position position, std::span<const std::string_view> hints);
    Typed called(const FunctionDefinition &function, OperatorCall call, Position position);

    GraphLowering &m_graph;
    Frame &m_frame;
};

} // namespace cutaway::formats::torchscript
