// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/schema.h"

#include <gtest/gtest.h>

namespace cutaway::ops {

namespace {

struct SchemaRow {
    const char *label;
    std::string text;
    std::string printed; ///< for what is refused: a part of the error
};

std::string schemaLabel(const testing::TestParamInfo<SchemaRow> &row) { return row.param.label; }

SchemaRow unchanged(const char *label, std::string text) { return {label, text, text}; }

class ParseSchema : public testing::TestWithParam<SchemaRow> { };

TEST_P(ParseSchema, printsInTorchsSpelling)
{
    const auto schema = parseSchema(GetParam().text);
    ASSERT_TRUE(schema) << schema.error().text();
    EXPECT_EQ(print(*schema), GetParam().printed);
    EXPECT_EQ(*parseSchema(GetParam().printed), *schema);
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, ParseSchema,
    testing::Values(
        unchanged("NothingAtAll", "aten::seed() -> ()"),
        unchanged("Overload", "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
        unchanged("TwoColonsOnly", "prim::layout(Tensor a) -> Layout"),
        unchanged("Written", "aten::add_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"),
        unchanged("WrittenList", "c10d::all_reduce_(Tensor[](a!) inputs) -> Tensor[](a!)"),
        unchanged("ElementsShared", "aten::chunk(Tensor(a -> *) self, int chunks) -> Tensor(a)[]"),
        unchanged("Wildcard", "aten::__getitem__.t(t[](a) list, int idx) -> t(*)"),
        unchanged("EitherOfTwo", "aten::cpu(Tensor(a) self) -> Tensor(b|a)"),
        unchanged("SizedList", "aten::f(Tensor self, SymInt[2] size, int[1]? dim, float[3] x=[1., 2., 0.5]) -> Tensor"),
        unchanged("OptionalInside",
                  "aten::index.Tensor(Tensor self, Tensor?[] indices, Tensor?[]? more=None) -> Tensor"),
        unchanged("Dictionary", "aten::items.str(Dict(str, t) self) -> ((str, t)[])"),
        unchanged("Future", "aten::wait(Future(t) self) -> t"),
        unchanged("Class", "quantized::f(__torch__.torch.classes.rnn.CellParamsBase[] x) -> Tensor"),
        unchanged("NamedReturns", "aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"),
        unchanged("OneNamedReturn", "quantized::relu6(Tensor qx, bool inplace=False) -> Tensor qy"),
        unchanged("OneTupleReturned", "aten::f(Tensor x) -> ((Tensor, int))"),
        unchanged("AnyArguments", "aten::format(str self, ...) -> str"),
        unchanged("AnythingAtAll", "prim::profile(...) -> ..."),
        unchanged("NumbersAsDefaults",
                  "aten::f(float a=-1.0000000000000001e-05, float b=inf, float c=1e+10, int d=-1) -> ()"),
        unchanged("TextAsDefault", R"(aten::f(Tensor x, str a="\"\'\\", str b=" \n, ) -> (", str? c=None) -> Tensor)"),
        unchanged("ListsAsDefault", "aten::f(int[] a=[], int[2] b=[0, 1], int[][] c=[[1], [2, 3]]) -> ()"),
        SchemaRow{"Blanks", " aten::f( Tensor ( a! ) x ,int [ 2 ] y = 0 )->(Tensor)",
                  "aten::f(Tensor(a!) x, int[2] y=0) -> Tensor"}),
    schemaLabel);

class RefuseSchema : public testing::TestWithParam<SchemaRow> { };

TEST_P(RefuseSchema, saysWhatWasExpected)
{
    const auto schema = parseSchema(GetParam().text);
    ASSERT_FALSE(schema);
    EXPECT_NE(schema.error().text().find(GetParam().printed), std::string::npos) << schema.error().text();
}

std::string nested(const std::string &open, const std::string &inner, const std::string &close)
{
    std::string text = inner;
    for (int i = 0; i < 10'000; ++i)
        text = open + text + close;
    return "aten::f(" + text + " x) -> ()";
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, RefuseSchema,
    testing::Values(SchemaRow{"Empty", "", "expected a namespace (column 1)"},
                    SchemaRow{"NoNamespace", "add(Tensor x) -> ()", R"(expected "::" (column 4))"},
                    SchemaRow{"NoName", "aten::.x() -> ()", "an operator's name"},
                    SchemaRow{"NoArgumentName", "aten::f(Tensor) -> ()", "an argument's name (column 15)"},
                    SchemaRow{"NoComma", "aten::f(Tensor a Tensor b) -> ()", R"x("," or ")" (column 18))x"},
                    SchemaRow{"NoReturns", "aten::f(Tensor a)", R"("->")"},
                    SchemaRow{"Cut", "aten::f(Tensor a) -> (", "expected a type"},
                    SchemaRow{"Rest", "aten::f() -> Tensor x y", "expected the end (column 23)"},
                    SchemaRow{"NoDefault", "aten::f(int a=) -> ()", "a default value"},
                    SchemaRow{"OpenString", R"(aten::f(str a="b\") -> ())", "the end of a string"},
                    SchemaRow{"SizeOfAList", "aten::f(int[two] a) -> ()", "the size of a list"},
                    SchemaRow{"HugeSize", "aten::f(int[99999999999999999999] a) -> ()", "the size of a list"},
                    SchemaRow{"NoAlias", "aten::f(Tensor(!) a) -> ()", "an alias"},
                    SchemaRow{"DeepTuple", nested("(", "int", ")"), "nested less deeply"},
                    SchemaRow{"DeepList", nested("", "int", "[]"), "nested less deeply"},
                    SchemaRow{"DeepDefault", "aten::f(int a=" + std::string(100'000, '[') + ") -> ()",
                              "nested less deeply"}),
    schemaLabel);

TEST(Schema, hasTheParts)
{
    const auto schema = parseSchema("aten::add_.Scalar(Tensor(a!) self, int[2] pad, *, Scalar alpha=1) -> (t kept)");
    ASSERT_TRUE(schema) << schema.error().text();
    EXPECT_EQ(schema->dialect, "aten");
    EXPECT_EQ(schema->name, "add_");
    EXPECT_EQ(schema->overload, "Scalar");
    ASSERT_EQ(schema->arguments.size(), 3u);
    EXPECT_TRUE(schema->arguments[0].type.isWritten());
    EXPECT_EQ(schema->arguments[1].type.listSize, 2);
    EXPECT_FALSE(schema->arguments[1].keywordOnly);
    EXPECT_TRUE(schema->arguments[2].keywordOnly);
    EXPECT_EQ(schema->arguments[2].defaultValue, "1");
    ASSERT_EQ(schema->returns.size(), 1u);
    EXPECT_EQ(schema->returns[0].name, "kept");
    EXPECT_EQ(schema->returns[0].type.kind, SchemaType::Kind::Variable);
}

} // namespace

} // namespace cutaway::ops
