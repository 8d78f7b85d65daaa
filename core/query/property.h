// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::query {

/// A property of a node or of a model that a query can ask for.
enum class Property : std::uint8_t {
    Op,
    Name,
    Scope,
    Class,
    Category,
    Function,
    Source,
    DType,
    Shape,
    Diagnostic,
    In,
    Out,
    Upstream,
    Downstream,
    Between,
    Flops,
    OtherFlops,
    Bytes,
    Params,
    Memory,
    Time,
    Measured,
    Data,
    Changed,
    Peak,
    // The properties from here on are those of models alone.
    Path,
    Format,
    Producer,
    State,
    Opset,
    Nodes,
    Weights,
};

/// The things that a query is asked about: each node of a function, or each model of a survey.
enum class Subject : std::uint8_t { Node, Model };

enum class Unit : std::uint8_t { Count, Flop, Byte, Second };

struct PropertyRow {
    /// The form in which a query asks for the property.
    enum class Form : std::uint8_t {
        Text,   ///< op:conv*
        Sizes,  ///< shape:[1,*]
        Value,  ///< upstream:x
        Path,   ///< between:a..b
        Figure, ///< flops>1G
        Column, ///< data.stage:encoder, data.latency>1
        Flag    ///< changed
    };

    Property property;
    std::string_view name; ///< "op"
    Form form;
    std::string_view unknown; ///< the name of the figure in a message on nodes or models without it: "known FLOPs"; ""
                              ///< if it is always known
    std::string_view means;   ///< the explanation for users: "the operator, with or without its dialect and overload"
    Unit unit = Unit::Count;  ///< the unit of a figure

    /// Whether the property is a figure other than a time: a number, or a formula over symbols.
    bool isSize() const { return form == Form::Figure && unit != Unit::Second; }
};

/// Returns the rows in the order of their properties. Properties of nodes are also properties of models: whether a
/// model has such a node.
std::span<const PropertyRow> properties(Subject subject = Subject::Node);
/// Returns the row of a property, which must be one of the subject's.
const PropertyRow &rowOf(Property property, Subject subject = Subject::Node);
/// Returns nullptr if no property has this name.
const PropertyRow *propertyNamed(std::string_view name, Subject subject = Subject::Node);
/// Returns the beginning of a term with this property: "op:", "flops>", "data.".
std::string spelling(const PropertyRow &row);

/// Returns how many of the unit's basic one (1, bytes, seconds) a suffix stands for: "G", "KiB", "ms". "" stands for 1,
/// but not for times. Nothing if there is no such suffix.
std::optional<double> factorOf(Unit unit, std::string_view suffix);
/// Returns the suffixes of a unit: "ns, us, ms, s".
std::string suffixesOf(Unit unit);

} // namespace cutaway::query
