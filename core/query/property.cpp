// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/property.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cutaway::query {

namespace {

constexpr auto propertyTable = [] {
    using enum Property;
    using Form = PropertyRow::Form;
    return std::array{
        PropertyRow{Op, "op", Form::Text, "", "the operator, with or without its dialect and overload"},
        PropertyRow{Name, "name", Form::Text, "", "the node, or one of its results"},
        PropertyRow{Scope, "scope", Form::Text, "", "the path of the module call that it is in, or of one around that"},
        PropertyRow{Class, "class", Form::Text, "", "the class of one of these modules, with or without its package"},
        PropertyRow{Category, "category", Form::Text, "", "what the operator is coloured by"},
        PropertyRow{Function, "function", Form::Text, "", "the function that it is in"},
        PropertyRow{Source, "source", Form::Text, "", "the file of the program, or its file and line"},
        PropertyRow{DType, "dtype", Form::Text, "known dtype", "of one of its results"},
        PropertyRow{Shape, "shape", Form::Sizes, "known shape", "of one of its results"},
        PropertyRow{Diagnostic, "diag", Form::Text, "", "a diagnostic about it, or a finding of lint, by its code"},
        PropertyRow{In, "in", Form::Value, "",
                    "what reads this value, or a result of this node; or is in this part, as stage3"},
        PropertyRow{Out, "out", Form::Value, "", "what makes this value"},
        PropertyRow{Upstream, "upstream", Form::Value, "", "what this value or node is computed from"},
        PropertyRow{Downstream, "downstream", Form::Value, "", "what is computed from this value or node"},
        PropertyRow{Between, "between", Form::Path, "", "what is on a path from the first to the second"},
        PropertyRow{Flops, "flops", Form::Figure, "known FLOPs", "of matrix products, convolutions and attention",
                    Unit::Flop},
        PropertyRow{OtherFlops, "other_flops", Form::Figure, "known other FLOPs", "of all else", Unit::Flop},
        PropertyRow{Bytes, "bytes", Form::Figure, "known bytes", "that it reads and writes", Unit::Byte},
        PropertyRow{Params, "params", Form::Figure, "known parameters", "elements of the parameters that it reads"},
        PropertyRow{Memory, "memory", Form::Figure, "known memory", "bytes of activations while it runs", Unit::Byte},
        PropertyRow{Time, "time", Form::Figure, "known time", "the least that it takes on a device", Unit::Second},
        PropertyRow{Measured, "measured", Form::Figure, "measured time", "the median of a profile", Unit::Second},
        PropertyRow{Data, "data", Form::Column, "value in the node data",
                    "a column of the node data: data.latency>1, data.stage:encoder"},
        PropertyRow{Changed, "changed", Form::Flag, "counterpart to compare with",
                    "another one, or not there, in the model that this one is compared with"},
        PropertyRow{Peak, "peak", Form::Flag, "known memory", "it runs where the memory of activations is at its peak"},
    };
}();

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < propertyTable.size(); ++i)
        if (static_cast<std::size_t>(propertyTable[i].property) != i)
            return false;
    return true;
}
static_assert(isInOrder());

constexpr auto modelTable = [] {
    using enum Property;
    using Form = PropertyRow::Form;
    return std::array{
        PropertyRow{Scope, "scope", Form::Text, "known modules", "the path of one of its modules"},
        PropertyRow{Class, "class", Form::Text, "known modules",
                    "the class of one of them, with or without its package"},
        PropertyRow{Function, "function", Form::Text, "known functions", "the name of one of its functions"},
        PropertyRow{Diagnostic, "diag", Form::Text, "known diagnostics", "a diagnostic of reading or analysing it"},
        PropertyRow{Flops, "flops", Form::Figure, "known FLOPs", "of matrix products, convolutions and attention",
                    Unit::Flop},
        PropertyRow{OtherFlops, "other_flops", Form::Figure, "known other FLOPs", "of all else", Unit::Flop},
        PropertyRow{Bytes, "bytes", Form::Figure, "known bytes", "of its file", Unit::Byte},
        PropertyRow{Params, "params", Form::Figure, "known parameters", "elements of its parameters"},
        PropertyRow{Memory, "memory", Form::Figure, "known memory", "bytes of activations at their peak", Unit::Byte},
        PropertyRow{Time, "time", Form::Figure, "known time", "the least that it takes on a device", Unit::Second},
        PropertyRow{Path, "path", Form::Text, "", "of its file, or the file's name"},
        PropertyRow{Format, "format", Form::Text, "known format", "of its file"},
        PropertyRow{Producer, "producer", Form::Text, "known producer", "what made the file, with or without version"},
        PropertyRow{State, "state", Form::Text, "",
                    "how it fared: read, unreadable, crashed, \"timed out\", \"out of memory\""},
        PropertyRow{Opset, "opset", Form::Figure, "known operator set", "the version of ONNX's operators"},
        PropertyRow{Nodes, "nodes", Form::Figure, "known nodes", "of its main graph"},
        PropertyRow{Weights, "weights", Form::Figure, "known weights", "bytes of its tensors", Unit::Byte},
    };
}();
static_assert(std::ranges::is_sorted(modelTable, {}, &PropertyRow::property));

struct Suffix {
    Unit unit;
    std::string_view text;
    double factor;
};

constexpr Suffix suffixes[] = {
    {Unit::Count, "K", 1e3},     {Unit::Count, "M", 1e6},     {Unit::Count, "G", 1e9},     {Unit::Count, "T", 1e12},
    {Unit::Byte, "B", 1},        {Unit::Byte, "KB", 1e3},     {Unit::Byte, "MB", 1e6},     {Unit::Byte, "GB", 1e9},
    {Unit::Byte, "TB", 1e12},    {Unit::Byte, "KiB", 0x1p10}, {Unit::Byte, "MiB", 0x1p20}, {Unit::Byte, "GiB", 0x1p30},
    {Unit::Byte, "TiB", 0x1p40}, {Unit::Second, "ns", 1e-9},  {Unit::Second, "us", 1e-6},  {Unit::Second, "ms", 1e-3},
    {Unit::Second, "s", 1},
};

/// Returns the unit whose suffixes a unit has: FLOPs have those of counts.
Unit unitOfSuffixes(Unit unit) { return unit == Unit::Flop ? Unit::Count : unit; }

/// Returns the suffix of which `suffix` is another spelling, or `suffix` itself. Other spellings are a small k, a micro
/// sign, and K, M, G, T for bytes.
std::string_view plainSuffix(Unit unit, std::string_view suffix)
{
    static constexpr struct {
        Unit unit;
        std::string_view written, plain;
    } others[] = {
        {Unit::Count, "k", "K"}, {Unit::Byte, "kB", "KB"},        {Unit::Byte, "k", "KB"},
        {Unit::Byte, "K", "KB"}, {Unit::Byte, "M", "MB"},         {Unit::Byte, "G", "GB"},
        {Unit::Byte, "T", "TB"}, {Unit::Second, "\u00B5s", "us"}, {Unit::Second, "\u03BCs", "us"},
    };
    for (const auto &other : others)
        if (other.unit == unit && other.written == suffix)
            return other.plain;
    return suffix;
}

} // namespace

std::span<const PropertyRow> properties(Subject subject)
{
    return subject == Subject::Node ? std::span<const PropertyRow>(propertyTable) : modelTable;
}

const PropertyRow &rowOf(Property property, Subject subject)
{
    return *std::ranges::find(properties(subject), property, &PropertyRow::property);
}

const PropertyRow *propertyNamed(std::string_view name, Subject subject)
{
    const std::span<const PropertyRow> all = properties(subject);
    const auto found = std::ranges::find(all, name, &PropertyRow::name);
    return found == all.end() ? nullptr : &*found;
}

std::string spelling(const PropertyRow &row)
{
    std::string name(row.name);
    switch (row.form) {
    case PropertyRow::Form::Flag:
        return name;
    case PropertyRow::Form::Figure:
        return name + '>';
    case PropertyRow::Form::Column:
        return name + '.';
    default:
        return name + ':';
    }
}

std::optional<double> factorOf(Unit unit, std::string_view suffix)
{
    if (suffix.empty())
        return unit == Unit::Second ? std::nullopt : std::optional(1.0);
    const std::string_view plain = plainSuffix(unitOfSuffixes(unit), suffix);
    for (const Suffix &known : suffixes)
        if (known.unit == unitOfSuffixes(unit) && known.text == plain)
            return known.factor;
    return std::nullopt;
}

std::string suffixesOf(Unit unit)
{
    std::string all;
    for (const Suffix &suffix : suffixes)
        if (suffix.unit == unitOfSuffixes(unit))
            all += (all.empty() ? "" : ", ") + std::string(suffix.text);
    return all;
}

} // namespace cutaway::query
