// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given.h"
#include "core/tensor/npy.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/ir/parsed.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace cutaway;

namespace {

constexpr const char *graph = R"(model "m" symbol n [2, 8]
    graph @forward(%p: int64[4], %d: int64[n], %m: float32[2, 2], %s: int64[], %b: bool[2], %u: uint8[2],
                   %any: tensor[*], %big: int64[1025], %o: optional<int64[2]>, %l: list<int>, %t: list<tensor[*]>) {
      return %p
    })";

struct Row {
    const char *name;
    std::vector<std::string> inputs;
    const char *result; ///< the facts of the given inputs, or what is wrong
};

void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }

std::string given(std::vector<std::string> inputs)
{
    ir::Model model = test::parsed(graph);
    const auto result = request::readGiven(model, {}, {}, inputs);
    if (!result)
        return result.error().message;
    std::string text;
    for (const auto &[name, fact] : result->inputs)
        text += (text.empty() ? "" : "; ") + ops::print(fact);
    for (const auto &[symbol, value] : result->bindings)
        text += "; " + symbol + " = " + std::to_string(value);
    return text;
}

class GivenElements : public testing::TestWithParam<Row> { };

TEST_P(GivenElements, areKnownOrRefused) { EXPECT_EQ(given(GetParam().inputs), GetParam().result); }

INSTANTIATE_TEST_SUITE_P(
    Lists, GivenElements,
    testing::Values(Row{"aVector", {"p=[0, 0, 1, 1]"}, "int64[4] = [0, 0, 1, 1]"},
                    Row{"withoutSpaces", {"p=[0,0,1,1]"}, "int64[4] = [0, 0, 1, 1]"},
                    Row{"withADType", {"p=[0,-1,1,1]:int64"}, "int64[4] = [0, -1, 1, 1]"},
                    Row{"thatDecidesASymbol", {"d=[5, 6, 7]"}, "int64[3] = [5, 6, 7]; n = 3"},
                    Row{"aMatrix", {"m=[[0.5, 1], [2, 3]]"}, "float32[2, 2] = [0.5, 1.0, 2.0, 3.0]"},
                    Row{"aNumberForAScalar", {"s=5"}, "int64[] = [5]"},
                    Row{"booleans", {"b=[true, false]"}, "bool[2] = [1, 0]"},
                    Row{"ofAnOptionalTensor", {"o=[3, 4]"}, "int64[2] = [3, 4]"},
                    Row{"integersWhereNothingIsDeclared", {"any=[[1], [2]]"}, "int64[2, 1] = [1, 2]"},
                    Row{"floatsWhereNothingIsDeclared", {"any=[1, 0.5]"}, "float32[2] = [1.0, 0.5]"},
                    Row{"noElements", {"any=[]:float16"}, "float16[0] = []"}, Row{"ofAList", {"l=[2, 3]"}, "[2, 3]"},
                    Row{"itemsOfAList", {"t.0=[1]", "t.1=[2]"}, "[int64[1] = [1], int64[1] = [2]]"}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    WrongLists, GivenElements,
    testing::Values(
        Row{"otherDType", {"p=[0,0,1,1]:int32"}, "input 'p' is int64, not int32"},
        Row{"unknownDType",
            {"p=[0,0,1,1]:long"},
            "input 'p': unknown dtype 'long'; expected a name such as float32 or int64"},
        Row{"otherRank", {"p=[[0,0,1,1]]"}, "input 'p' has 1 dimensions, not 2"},
        Row{"outOfTheRange", {"d=[1,2,3,4,5,6,7,8,9]"}, "symbol 'n' cannot be 9: its range is 2 to 8"},
        Row{"ragged", {"m=[[1, 2], [3]]"}, "input 'm': the lists have unequal lengths, 2 and 1"},
        Row{"numbersBesideLists", {"m=[1, [2]]"}, "input 'm': a list stands beside a number"},
        Row{"listsBesideNumbers", {"m=[[1], 2]"}, "input 'm': a number stands beside a list"},
        Row{"texts", {"p=[\"a\"]"}, "input 'p': '\"a\"' is not a number"},
        Row{"aFractionForAnInteger", {"p=[0, 0.5, 1, 1]"}, "input 'p': 0.5 is not a number of int64"},
        Row{"tooLargeForTheDType", {"u=[0, 256]"}, "input 'u': 256 is not a number of uint8"},
        Row{"tooLargeForAFloat", {"m=[[1e39, 1], [2, 3]]"}, "input 'm': 1e+39 is not a number of float32"},
        Row{"noNumber", {"p=[NaN, 0, 1, 1]"}, "input 'p': expected numbers in brackets, for example [[1, 2], [3, 4]]"},
        Row{"unfinished", {"p=[0, 0"}, "input 'p': expected numbers in brackets, for example [[1, 2], [3, 4]]"},
        Row{"aNumberForAVector",
            {"p=3"},
            "input 'p' is a tensor; expected SHAPE:DTYPE, for example 1x3x224x224:float32, its elements, for example "
            "[0, 1], or its file, for example @x.npy"},
        Row{"twice", {"p=[0,0,1,1]", "p=4:int64"}, "input 'p' is given twice"},
        Row{"unknownInput", {"q=[1]"}, "unknown input 'q'; the function has p, d, m, s, b, u, any, big, o, l, t"},
        Row{"nestedForAListOfNumbers",
            {"l=[[1]]"},
            "input 'l' cannot be '[[1]]'; expected a number, true, false, null, a \"text\", a list of these or "
            "SHAPE:DTYPE"},
        Row{"noFile",
            {"p=@x.bin"},
            "input 'p': 'x.bin' is not the name of a tensor's file; expected .npy, .pt or .json"}),
    [](const auto &row) { return row.param.name; });

std::string npy(ir::DType dtype, std::vector<std::int64_t> shape, const void *bytes, std::size_t size)
{
    return tensor::printNpy({dtype, std::move(shape), std::string(static_cast<const char *>(bytes), size)}).value();
}

constexpr std::int64_t pads[] = {0, 2, 1, 3};

struct FileRow {
    const char *name;
    const char *input;
    std::string content;
    const char *result;
    ErrorKind kind = ErrorKind::Usage;
};

void PrintTo(const FileRow &row, std::ostream *out) { *out << row.name; }

class GivenFiles : public testing::TestWithParam<FileRow> { };

TEST_P(GivenFiles, areKnownOrRefused)
{
    const tests::TemporaryFile file(GetParam().content, ".npy");
    const std::string path = file.path().string(), input = GetParam().input;
    for (const char *mark : {"=@", "="}) {
        const std::string text = given({input + mark + path});
        EXPECT_EQ(text, GetParam().result);
    }
    ir::Model model = test::parsed(graph);
    const std::vector<std::string> texts{input + "=@" + path};
    if (const auto result = request::readGiven(model, {}, {}, texts); !result)
        EXPECT_EQ(result.error().kind, GetParam().kind);
    else
        EXPECT_TRUE(result->tensors.contains(input));
}

/// Returns the elements column by column.
std::string inFortranOrder()
{
    constexpr float columns[] = {1, 3, 2, 4};
    std::string file = npy(ir::DType::Float32, {2, 2}, columns, sizeof columns);
    return file.replace(file.find("False, "), 7, "True,  ");
}

std::string withNaN()
{
    const float numbers[] = {1, NAN, 3, 4};
    return npy(ir::DType::Float32, {2, 2}, numbers, sizeof numbers);
}

std::string bigEndian()
{
    std::string file = npy(ir::DType::Int64, {4}, pads, sizeof pads);
    return file.replace(file.find("<i8"), 3, ">i8");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GivenFiles,
    testing::Values(FileRow{"anArray", "p", npy(ir::DType::Int64, {4}, pads, sizeof pads), "int64[4] = [0, 2, 1, 3]"},
                    FileRow{"inFortranOrder", "m", inFortranOrder(), "float32[2, 2] = [1.0, 2.0, 3.0, 4.0]"},
                    FileRow{"aLargeOneHasAType", "big",
                            npy(ir::DType::Int64, {1025}, std::string(8200, '\1').data(), 8200), "int64[1025]"},
                    FileRow{"oneThatIsNotFiniteHasAType", "m", withNaN(), "float32[2, 2]"},
                    FileRow{"otherDType", "m", npy(ir::DType::Float64, {2, 2}, pads, sizeof pads),
                            "input 'm' is float32, not float64"},
                    FileRow{"floatsForIntegers", "d", withNaN(), "input 'd' is int64, not float32"},
                    FileRow{"otherRank", "p", npy(ir::DType::Int64, {2, 2}, pads, sizeof pads),
                            "input 'p' has 1 dimensions, not 2"},
                    FileRow{"noArray", "p", "no array",
                            "input 'p': the file is not an array of NumPy: wrong magic number", ErrorKind::Unreadable},
                    FileRow{"truncated", "p", npy(ir::DType::Int64, {4}, pads, sizeof pads - 1),
                            "input 'p': the file is not an array of NumPy: a tensor of 4 int64 elements has 31 bytes",
                            ErrorKind::Unreadable},
                    FileRow{"bigEndian", "p", bigEndian(),
                            "input 'p': elements of '>i8' are not read; expected little-endian numbers",
                            ErrorKind::Unreadable},
                    FileRow{"empty", "p", "", "input 'p': the file is not an array of NumPy: wrong magic number",
                            ErrorKind::Unreadable}),
    [](const auto &row) { return row.param.name; });

TEST(GivenFile, thatIsMissingIsNamed)
{
    ir::Model model = test::parsed(graph);
    const std::vector<std::string> texts{"p=@/nowhere/x.npy"};
    const auto result = request::readGiven(model, {}, {}, texts);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Unreadable);
    EXPECT_NE(result.error().text().find("/nowhere/x.npy"), std::string::npos) << result.error().text();
}

} // namespace
