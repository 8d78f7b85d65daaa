// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Calls as serialized code has them, and the overload that torch took for each.

#include "core/ops/schemas/overload.h"
#include "core/ops/schemas/schema_table.h"

#include <gtest/gtest.h>

namespace cutaway::ops {

namespace {

/// "[]" is the empty list literal, "?" a value of unknown type.
SchemaType typeOf(std::string_view text)
{
    if (text == "?")
        return {};
    if (text == "[]")
        return {SchemaType::Kind::EmptyList, {}, {}, {}, {}};
    if (text == "?[]")
        return {SchemaType::Kind::List, {}, {SchemaType{}}, {}, {}};
    return parseSchemaType(text).value();
}

using Named = std::vector<std::pair<std::string_view, std::string_view>>;

CallTypes callOf(const std::vector<std::string_view> &positional, const Named &named)
{
    CallTypes call;
    for (const std::string_view type : positional)
        call.positional.push_back(typeOf(type));
    for (const auto &[name, type] : named)
        call.named.push_back({name, typeOf(type)});
    return call;
}

struct Row {
    const char *label;
    std::string_view name;
    std::vector<std::string_view> positional;
    Named named;
    std::string overload; ///< and what it returns: "Tensor -> Tensor"; "-" where none fits
};

std::string labelOf(const testing::TestParamInfo<Row> &row) { return row.param.label; }

std::string chosen(const std::vector<Schema> &candidates, const CallTypes &call)
{
    const auto match = matchOverload(candidates, call);
    if (!match)
        return "-";
    std::string out(candidates[match->candidate].overload);
    for (const SchemaType &type : match->returns)
        out += " -> " + print(type);
    return out;
}

class MatchOverload : public testing::TestWithParam<Row> { };

TEST_P(MatchOverload, takesWhatTorchTakes)
{
    const auto &[label, name, positional, named, overload] = GetParam();
    EXPECT_EQ(chosen(schemasOf("aten", name), callOf(positional, named)), overload);
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, MatchOverload,
    testing::Values(Row{"Tensors", "add", {"Tensor", "Tensor"}, {}, "Tensor -> Tensor"},
                    Row{"TensorsScaled", "add", {"Tensor", "Tensor"}, {{"alpha", "int"}}, "Tensor -> Tensor"},
                    Row{"TensorAndNumber", "add", {"Tensor", "int"}, {}, "Scalar -> Tensor"},
                    Row{"TensorAndNumberScaled", "add", {"Tensor", "int", "int"}, {}, "Scalar -> Tensor"},
                    Row{"Ints", "add", {"int", "int"}, {}, "int -> int"},
                    Row{"IntAndFloat", "add", {"int", "float"}, {}, "int_float -> float"},
                    Row{"Numbers", "add", {"Scalar", "int"}, {}, " -> Scalar"},
                    Row{"Texts", "add", {"str", "str"}, {}, "str -> str"},
                    Row{"Lists", "add", {"int[]", "int[]"}, {}, "t -> int[]"},
                    Row{"BoolIsNoNumber", "add", {"bool", "str"}, {}, "-"},
                    Row{"IntsDivide", "div", {"int", "int"}, {}, "int -> float"},
                    Row{"Rounding", "div", {"Tensor", "int"}, {{"rounding_mode", "str"}}, "Scalar_mode -> Tensor"},
                    Row{"Power", "pow", {"Tensor", "int"}, {}, "Tensor_Scalar -> Tensor"},
                    Row{"PowerOfInts", "pow", {"int", "int"}, {}, "int -> float"},
                    Row{"Equal", "eq", {"int", "int"}, {}, "int -> bool"},
                    Row{"EqualLists", "eq", {"int[]", "int[]"}, {}, "int_list -> bool"},
                    Row{"EqualTexts", "ne", {"str", "str"}, {}, "str -> bool"},
                    Row{"EqualEnums", "eq", {"AnyEnumType", "AnyEnumType"}, {}, "enum -> bool"},
                    Row{"Dtypes", "eq", {"ScalarType", "int"}, {}, "int -> bool"}),
    labelOf);

INSTANTIATE_TEST_SUITE_P(
    Tensors, MatchOverload,
    testing::Values(
        Row{"ToDtype", "to", {"Tensor", "int"}, {}, "dtype -> Tensor"},
        Row{"ToDevice", "to", {"Tensor", "Device"}, {}, "prim_Device -> Tensor"},
        Row{"ToDeviceAndDtype", "to", {"Tensor", "Device", "int"}, {}, "device -> Tensor"},
        Row{"ToOther", "to", {"Tensor", "Tensor"}, {}, "other -> Tensor"},
        Row{"ToTextIsADevice", "to", {"Tensor", "str"}, {}, "prim_Device -> Tensor"},
        Row{"ViewOfOneSizeIsNoDtype", "view", {"Tensor", "int"}, {}, " -> Tensor"},
        Row{"ViewOfSizes", "view", {"Tensor", "int[]"}, {}, " -> Tensor"},
        Row{"Size", "size", {"Tensor"}, {}, " -> int[]"}, Row{"SizeOfDim", "size", {"Tensor", "int"}, {}, "int -> int"},
        Row{"SelfIsInput", "relu", {}, {{"input", "Tensor"}}, " -> Tensor"},
        Row{"Mean", "mean", {"Tensor", "int[]", "bool"}, {}, "dim -> Tensor"},
        Row{"MeanOverOneDim", "mean", {"Tensor", "int"}, {}, "dim -> Tensor"},
        Row{"MeanOfAll", "mean", {"Tensor"}, {}, " -> Tensor"},
        Row{"MeanOverNamedDim", "mean", {"Tensor", "str[]"}, {}, "names_dim -> Tensor"},
        Row{"SumOverTuple", "sum", {"Tensor", "(int, int)"}, {}, "dim_IntList -> Tensor"},
        Row{"Deviation", "std", {"Tensor"}, {}, " -> Tensor"},
        Row{"DeviationBiased", "std", {"Tensor", "int[]", "bool"}, {}, "dim -> Tensor"},
        Row{"DeviationCorrected", "std", {"Tensor", "NoneType"}, {{"correction", "int"}}, "correction -> Tensor"},
        Row{"MaxOverDim", "max", {"Tensor", "int"}, {}, "dim -> Tensor -> Tensor"},
        Row{"MaxOfTwo", "max", {"Tensor", "Tensor"}, {}, "other -> Tensor"},
        Row{"IndexedByOptionals", "index", {"Tensor", "Tensor?[]"}, {}, "Tensor -> Tensor"},
        Row{"EmptyListIsAnyList", "index", {"Tensor", "[]"}, {}, "Tensor -> Tensor"},
        Row{"OneSizeFillsAPair", "avg_pool2d", {"Tensor", "int", "int"}, {}, " -> Tensor"},
        Row{"EmptyStride", "max_pool2d", {"Tensor", "int[]", "[]"}, {}, " -> Tensor"},
        Row{"UpsampleBySizes", "upsample_nearest2d", {"Tensor", "int[]?", "float[]?"}, {}, "vec -> Tensor"},
        Row{"UpsampleToSize", "upsample_nearest2d", {"Tensor", "int[]", "float?", "float?"}, {}, " -> Tensor"},
        Row{"MissingArgument", "linear", {"Tensor"}, {}, "-"}, Row{"TooMany", "relu", {"Tensor", "int"}, {}, "-"},
        Row{"NoSuchKeyword", "relu", {"Tensor"}, {{"inplace", "bool"}}, "-"},
        Row{"KeywordOnlyByPosition", "sum", {"Tensor", "int[]", "bool", "int"}, {}, "-"}),
    labelOf);

INSTANTIATE_TEST_SUITE_P(
    Conversions, MatchOverload,
    testing::Values(Row{"TensorForAnInt", "select", {"Tensor", "Tensor", "int"}, {}, "int -> Tensor"},
                    Row{"TensorForAFloat", "dropout", {"Tensor", "Tensor", "bool"}, {}, " -> Tensor"},
                    Row{"NumberForAFloat", "dropout", {"Tensor", "Scalar", "bool"}, {}, " -> Tensor"},
                    Row{"IntForNoFloat", "dropout", {"Tensor", "int", "bool"}, {}, "-"},
                    Row{"SizesOneByOne", "zeros", {"int", "int"}, {{"dtype", "int"}}, " -> Tensor"},
                    Row{"SizesOneOfThemATensor", "permute", {"Tensor", "int", "Tensor"}, {}, " -> Tensor"},
                    Row{"NumbersOfATensor", "Int", {"Tensor"}, {}, "Tensor -> int"},
                    Row{"NumbersOfAFloat", "Int", {"float"}, {}, "float -> int"}),
    labelOf);

INSTANTIATE_TEST_SUITE_P(
    Containers, MatchOverload,
    testing::Values(Row{"ItemOfList", "__getitem__", {"(Tensor, int)[]", "int"}, {}, "t -> (Tensor, int)"},
                    Row{"ItemOfDictionary", "__getitem__", {"Dict(str, int)", "str"}, {}, "Dict_str -> int"},
                    Row{"WrongKey", "__getitem__", {"Dict(str, int)", "int"}, {}, "-"},
                    Row{"ItemsOfDictionary", "items", {"Dict(int, Tensor)"}, {}, "int -> (int, Tensor)[]"},
                    Row{"Keys", "keys", {"Dict(str, Tensor)"}, {}, "str -> str[]"},
                    Row{"Append", "append", {"Tensor[]", "Tensor"}, {}, "t -> Tensor[]"},
                    Row{"AppendOfAnother", "append", {"Tensor[]", "int"}, {}, "-"},
                    Row{"Contains", "__contains__", {"str[]", "str"}, {}, "str_list -> bool"},
                    Row{"IsNone", "__is__", {"(Tensor, Tensor)?", "NoneType"}, {}, " -> bool"},
                    Row{"Unwrapped", "len", {"Tensor[]"}, {}, "t -> int"},
                    Row{"Waited", "wait", {"Future((Tensor, int))"}, {}, " -> (Tensor, int)"},
                    Row{"Formatted", "format", {"str", "int[]", "Tensor", "str"}, {}, " -> str"},
                    Row{"UnknownFits", "matmul", {"?", "?"}, {}, " -> Tensor"},
                    Row{"UnknownLeavesTheRest", "sub", {"?", "Scalar"}, {}, "Scalar -> Tensor"},
                    Row{"UnknownItem", "__getitem__", {"?[]", "int"}, {}, "t -> unknown"}),
    labelOf);

std::string text(const ArgumentSource &source)
{
    if (const auto *given = std::get_if<PositionalGiven>(&source))
        return std::to_string(given->index);
    if (const auto *gathered = std::get_if<PositionalsGathered>(&source))
        return std::to_string(gathered->first) + "…";
    if (const auto *named = std::get_if<NamedGiven>(&source))
        return "name " + std::to_string(named->index);
    return "default";
}

std::string sourcesOf(std::string_view name, const CallTypes &call)
{
    std::string out;
    const auto match = matchOverload(schemasOf("aten", name), call);
    for (const ArgumentSource &source : match.value().sources)
        out += (out.empty() ? "" : ", ") + text(source);
    return out;
}

TEST(MatchOverload, saysWhereEachArgumentHasItsValueFrom)
{
    EXPECT_EQ(sourcesOf("conv2d", callOf({"Tensor", "Tensor"}, {{"padding", "int[]"}})),
              "0, 1, default, default, name 0, default, default");
    EXPECT_EQ(sourcesOf("zeros", callOf({"int", "int"}, {{"device", "Device"}, {"dtype", "int"}})),
              "0…, name 1, default, name 0, default");
    EXPECT_EQ(sourcesOf("format", callOf({"str", "int", "int"}, {})), "0");
}

TEST(MatchOverload, firstOneWins)
{
    const std::vector candidates{parseSchema("a::f.x(Any a) -> int").value(),
                                 parseSchema("a::f.y(Tensor a) -> int").value()};
    EXPECT_EQ(chosen(candidates, callOf({"Tensor"}, {})), "x -> int");
    EXPECT_EQ(chosen({}, callOf({}, {})), "-");
}

TEST(MatchOverload, conversionsComeAfterEveryPlainCandidate)
{
    const std::vector candidates{parseSchema("a::f.x(float a) -> int").value(),
                                 parseSchema("a::f.y(Tensor a) -> int").value()};
    EXPECT_EQ(chosen(candidates, callOf({"Tensor"}, {})), "y -> int");
}

} // namespace

} // namespace cutaway::ops
