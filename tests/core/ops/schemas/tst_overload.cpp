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

struct CallRow {
    const char *label;
    std::string_view name;
    std::vector<std::string_view> positional;
    Named named;
    std::string overload; ///< and what it returns: "Tensor -> Tensor"; "-" where none fits
};

std::string callLabel(const testing::TestParamInfo<CallRow> &row) { return row.param.label; }

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

class MatchOverload : public testing::TestWithParam<CallRow> { };

TEST_P(MatchOverload, takesWhatTorchTakes)
{
    const auto &[label, name, positional, named, overload] = GetParam();
    EXPECT_EQ(chosen(schemasOf("aten", name), callOf(positional, named)), overload);
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, MatchOverload,
    testing::Values(CallRow{"Tensors", "add", {"Tensor", "Tensor"}, {}, "Tensor -> Tensor"},
                    CallRow{"TensorsScaled", "add", {"Tensor", "Tensor"}, {{"alpha", "int"}}, "Tensor -> Tensor"},
                    CallRow{"TensorAndNumber", "add", {"Tensor", "int"}, {}, "Scalar -> Tensor"},
                    CallRow{"TensorAndNumberScaled", "add", {"Tensor", "int", "int"}, {}, "Scalar -> Tensor"},
                    CallRow{"Ints", "add", {"int", "int"}, {}, "int -> int"},
                    CallRow{"IntAndFloat", "add", {"int", "float"}, {}, "int_float -> float"},
                    CallRow{"Numbers", "add", {"Scalar", "int"}, {}, " -> Scalar"},
                    CallRow{"Texts", "add", {"str", "str"}, {}, "str -> str"},
                    CallRow{"Lists", "add", {"int[]", "int[]"}, {}, "t -> int[]"},
                    CallRow{"BoolIsNoNumber", "add", {"bool", "str"}, {}, "-"},
                    CallRow{"IntsDivide", "div", {"int", "int"}, {}, "int -> float"},
                    CallRow{"Rounding", "div", {"Tensor", "int"}, {{"rounding_mode", "str"}}, "Scalar_mode -> Tensor"},
                    CallRow{"Power", "pow", {"Tensor", "int"}, {}, "Tensor_Scalar -> Tensor"},
                    CallRow{"PowerOfInts", "pow", {"int", "int"}, {}, "int -> float"},
                    CallRow{"Equal", "eq", {"int", "int"}, {}, "int -> bool"},
                    CallRow{"EqualLists", "eq", {"int[]", "int[]"}, {}, "int_list -> bool"},
                    CallRow{"EqualTexts", "ne", {"str", "str"}, {}, "str -> bool"},
                    CallRow{"EqualEnums", "eq", {"AnyEnumType", "AnyEnumType"}, {}, "enum -> bool"},
                    CallRow{"Dtypes", "eq", {"ScalarType", "int"}, {}, "int -> bool"}),
    callLabel);

INSTANTIATE_TEST_SUITE_P(
    Tensors, MatchOverload,
    testing::Values(
        CallRow{"ToDtype", "to", {"Tensor", "int"}, {}, "dtype -> Tensor"},
        CallRow{"ToDevice", "to", {"Tensor", "Device"}, {}, "prim_Device -> Tensor"},
        CallRow{"ToDeviceAndDtype", "to", {"Tensor", "Device", "int"}, {}, "device -> Tensor"},
        CallRow{"ToOther", "to", {"Tensor", "Tensor"}, {}, "other -> Tensor"},
        CallRow{"ToTextIsADevice", "to", {"Tensor", "str"}, {}, "prim_Device -> Tensor"},
        CallRow{"ViewOfOneSizeIsNoDtype", "view", {"Tensor", "int"}, {}, " -> Tensor"},
        CallRow{"ViewOfSizes", "view", {"Tensor", "int[]"}, {}, " -> Tensor"},
        CallRow{"Size", "size", {"Tensor"}, {}, " -> int[]"},
        CallRow{"SizeOfDim", "size", {"Tensor", "int"}, {}, "int -> int"},
        CallRow{"SelfIsInput", "relu", {}, {{"input", "Tensor"}}, " -> Tensor"},
        CallRow{"Mean", "mean", {"Tensor", "int[]", "bool"}, {}, "dim -> Tensor"},
        CallRow{"MeanOverOneDim", "mean", {"Tensor", "int"}, {}, "dim -> Tensor"},
        CallRow{"MeanOfAll", "mean", {"Tensor"}, {}, " -> Tensor"},
        CallRow{"MeanOverNamedDim", "mean", {"Tensor", "str[]"}, {}, "names_dim -> Tensor"},
        CallRow{"SumOverTuple", "sum", {"Tensor", "(int, int)"}, {}, "dim_IntList -> Tensor"},
        CallRow{"Deviation", "std", {"Tensor"}, {}, " -> Tensor"},
        CallRow{"DeviationBiased", "std", {"Tensor", "int[]", "bool"}, {}, "dim -> Tensor"},
        CallRow{"DeviationCorrected", "std", {"Tensor", "NoneType"}, {{"correction", "int"}}, "correction -> Tensor"},
        CallRow{"MaxOverDim", "max", {"Tensor", "int"}, {}, "dim -> Tensor -> Tensor"},
        CallRow{"MaxOfTwo", "max", {"Tensor", "Tensor"}, {}, "other -> Tensor"},
        CallRow{"IndexedByOptionals", "index", {"Tensor", "Tensor?[]"}, {}, "Tensor -> Tensor"},
        CallRow{"EmptyListIsAnyList", "index", {"Tensor", "[]"}, {}, "Tensor -> Tensor"},
        CallRow{"OneSizeFillsAPair", "avg_pool2d", {"Tensor", "int", "int"}, {}, " -> Tensor"},
        CallRow{"EmptyStride", "max_pool2d", {"Tensor", "int[]", "[]"}, {}, " -> Tensor"},
        CallRow{"UpsampleBySizes", "upsample_nearest2d", {"Tensor", "int[]?", "float[]?"}, {}, "vec -> Tensor"},
        CallRow{"UpsampleToSize", "upsample_nearest2d", {"Tensor", "int[]", "float?", "float?"}, {}, " -> Tensor"},
        CallRow{"MissingArgument", "linear", {"Tensor"}, {}, "-"},
        CallRow{"TooMany", "relu", {"Tensor", "int"}, {}, "-"},
        CallRow{"NoSuchKeyword", "relu", {"Tensor"}, {{"inplace", "bool"}}, "-"},
        CallRow{"KeywordOnlyByPosition", "sum", {"Tensor", "int[]", "bool", "int"}, {}, "-"}),
    callLabel);

INSTANTIATE_TEST_SUITE_P(
    Conversions, MatchOverload,
    testing::Values(CallRow{"TensorForAnInt", "select", {"Tensor", "Tensor", "int"}, {}, "int -> Tensor"},
                    CallRow{"TensorForAFloat", "dropout", {"Tensor", "Tensor", "bool"}, {}, " -> Tensor"},
                    CallRow{"NumberForAFloat", "dropout", {"Tensor", "Scalar", "bool"}, {}, " -> Tensor"},
                    CallRow{"IntForNoFloat", "dropout", {"Tensor", "int", "bool"}, {}, "-"},
                    CallRow{"SizesOneByOne", "zeros", {"int", "int"}, {{"dtype", "int"}}, " -> Tensor"},
                    CallRow{"SizesOneOfThemATensor", "permute", {"Tensor", "int", "Tensor"}, {}, " -> Tensor"},
                    CallRow{"NumbersOfATensor", "Int", {"Tensor"}, {}, "Tensor -> int"},
                    CallRow{"NumbersOfAFloat", "Int", {"float"}, {}, "float -> int"}),
    callLabel);

INSTANTIATE_TEST_SUITE_P(
    Containers, MatchOverload,
    testing::Values(CallRow{"ItemOfList", "__getitem__", {"(Tensor, int)[]", "int"}, {}, "t -> (Tensor, int)"},
                    CallRow{"ItemOfDictionary", "__getitem__", {"Dict(str, int)", "str"}, {}, "Dict_str -> int"},
                    CallRow{"WrongKey", "__getitem__", {"Dict(str, int)", "int"}, {}, "-"},
                    CallRow{"ItemsOfDictionary", "items", {"Dict(int, Tensor)"}, {}, "int -> (int, Tensor)[]"},
                    CallRow{"Keys", "keys", {"Dict(str, Tensor)"}, {}, "str -> str[]"},
                    CallRow{"Append", "append", {"Tensor[]", "Tensor"}, {}, "t -> Tensor[]"},
                    CallRow{"AppendOfAnother", "append", {"Tensor[]", "int"}, {}, "-"},
                    CallRow{"Contains", "__contains__", {"str[]", "str"}, {}, "str_list -> bool"},
                    CallRow{"IsNone", "__is__", {"(Tensor, Tensor)?", "NoneType"}, {}, " -> bool"},
                    CallRow{"Unwrapped", "len", {"Tensor[]"}, {}, "t -> int"},
                    CallRow{"Waited", "wait", {"Future((Tensor, int))"}, {}, " -> (Tensor, int)"},
                    CallRow{"Formatted", "format", {"str", "int[]", "Tensor", "str"}, {}, " -> str"},
                    CallRow{"UnknownFits", "matmul", {"?", "?"}, {}, " -> Tensor"},
                    CallRow{"UnknownLeavesTheRest", "sub", {"?", "Scalar"}, {}, "Scalar -> Tensor"},
                    CallRow{"UnknownItem", "__getitem__", {"?[]", "int"}, {}, "t -> unknown"}),
    callLabel);

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
