// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy.h"
#include "core/tensor/numbers.h"

#include <gtest/gtest.h>

namespace cutaway::tensor {

namespace {

using protocol::Tensor;

/// As numpy.save writes it, with this dict.
std::string file(const std::string &dict, const std::string &elements, char version = 1)
{
    std::string text = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(dict.size()) + '\0';
    if (version > 1)
        text += std::string(2, '\0');
    return text + dict + elements;
}

class NumpyDtypes : public testing::TestWithParam<ir::DType> { };

TEST_P(NumpyDtypes, comeBack)
{
    const Tensor tensor = protocol::randomTensor(GetParam(), {2, 3}, 1).value();
    const auto text = printNpy(tensor);
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ((text->size() - tensor.bytes.size()) % 64, 0u);
    EXPECT_EQ(parseNpy(*text), tensor);
}

INSTANTIATE_TEST_SUITE_P(Rows, NumpyDtypes,
                         testing::Values(ir::DType::Bool, ir::DType::UInt8, ir::DType::Int16, ir::DType::UInt32,
                                         ir::DType::Int64, ir::DType::UInt64, ir::DType::Float16, ir::DType::Float32,
                                         ir::DType::Float64, ir::DType::Complex64, ir::DType::Complex128),
                         [](const auto &row) { return std::string(ir::name(row.param)); });

struct Widened {
    ir::DType dtype, wide;
};
class OtherDtypes : public testing::TestWithParam<Widened> { };

TEST_P(OtherDtypes, becomeOneThatHoldsTheirValues)
{
    const Tensor tensor = protocol::randomTensor(GetParam().dtype, {5}, 1).value();
    const auto again = parseNpy(printNpy(tensor).value());
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->dtype, GetParam().wide);
    EXPECT_EQ(numbersOf(*again), numbersOf(tensor));
}

INSTANTIATE_TEST_SUITE_P(Rows, OtherDtypes,
                         testing::Values(Widened{ir::DType::BFloat16, ir::DType::Float32},
                                         Widened{ir::DType::Float8E4M3FN, ir::DType::Float32},
                                         Widened{ir::DType::Int4, ir::DType::Int8},
                                         Widened{ir::DType::UInt4, ir::DType::UInt8}),
                         [](const auto &row) { return std::string(ir::name(row.param.dtype)); });

TEST(Npy, holdsNoTexts) { EXPECT_FALSE(printNpy(protocol::tensorOf({1}, std::vector<std::string>{"a"}))); }

TEST(Npy, ofFortranOrderIsPutInRows)
{
    const auto tensor = parseNpy(file("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", "\1\2\3\4\5\6"));
    ASSERT_TRUE(tensor) << tensor.error().text();
    EXPECT_EQ(tensor->bytes, "\1\3\5\2\4\6");
}

TEST(Npy, ofVersion2HasALongerLength)
{
    EXPECT_EQ(parseNpy(file("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "a", 2)),
              (Tensor{ir::DType::UInt8, {}, "a"}));
}

struct Refused {
    const char *label;
    std::string file;
    const char *error;
};
class RefusedFiles : public testing::TestWithParam<Refused> { };

TEST_P(RefusedFiles, sayWhatWasFound)
{
    const auto tensor = parseNpy(GetParam().file);
    ASSERT_FALSE(tensor);
    EXPECT_EQ(tensor.error().kind, ErrorKind::Unreadable);
    EXPECT_NE(tensor.error().text().find(GetParam().error), std::string::npos) << tensor.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedFiles,
    testing::Values(
        Refused{"Empty", "", "wrong magic number"}, Refused{"OtherFile", "PK\3\4 a zip archive", "wrong magic number"},
        Refused{"CutOff", file("{'descr': '<f4'", "").substr(0, 20), "it ends within its header"},
        Refused{"NoShape", file("{'descr': '<f4', 'fortran_order': False}", ""), "its header is '{'descr'"},
        Refused{"BigEndian", file("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "1234"), "'>f4'"},
        Refused{"Objects", file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "1234"), "'|O'"},
        Refused{"TooFewElements", file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234"),
                "has 4 bytes"},
        Refused{"NegativeSize", file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""), "size -1"},
        Refused{"HugeSize", file("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4), }", ""),
                "more elements"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::tensor
