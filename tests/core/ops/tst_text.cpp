// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Text : public testing::TestWithParam<RuleRow> { };

TEST_P(Text, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Rules, Text,
    testing::Values(
        RuleRow{"Format", "(%n: int) { %r = aten::format(\"n = {}\", %n) return %r }", "unknown"},
        RuleRow{"FormatOfWhatIsKnown", "() { %r = aten::format(\"{}.{}, {}\", \"a\", 3, true) return %r }",
                "\"a.3, True\""},
        RuleRow{"FormatOfTooLittle", "() { %r = aten::format(\"{}{}\", 3) return %r }", "unknown"},
        RuleRow{"FormatOfDigitsThatDependOnThePrinter", "() { %r = aten::format(\"{}\", 0.1) return %r }", "unknown"},
        RuleRow{"Str", "(%n: int) { %a = aten::str(-3) %b = aten::str(\"a\") %c = aten::str(%n) return %a, %b, %c }",
                "\"-3\"; \"a\"; unknown"},
        RuleRow{"StrNamesEntries",
                "(%x: float32[2]) { %k = aten::str(0) %d = prim::DictConstruct(%k, %x) "
                "%r = aten::__getitem__.Dict_str(%d, \"0\") return %r }",
                "float32[2]"},
        RuleRow{"StartsWithWhatIsKnown",
                "() { %a = aten::startswith(\"abc\", \"ab\") %b = aten::endswith(\"abc\", \"ab\") "
                "%c = aten::startswith(\"abc\", \"bc\", 1) return %a, %b, %c }",
                "true; false; bool"},
        RuleRow{"StartsWith", "(%s: str) { %r = aten::startswith(%s, \"a\") return %r }", "bool"},
        RuleRow{"OnnxConcat", "(%x: string[2, 1], %y: string[3]) { %r = onnx::StringConcat(%x, %y) return %r }",
                "string[2, 3]"},
        RuleRow{"OnnxConcatDoesNotFit", "(%x: string[2], %y: string[3]) { %r = onnx::StringConcat(%x, %y) return %r }",
                "!cannot broadcast [2] with [3] unknown"},
        RuleRow{"OnnxSplit", "(%x: string[s0]) { %r, %n = onnx::StringSplit(%x, delimiter=\",\") return %r, %n }",
                "string[s0, u_0]; int64[s0]"},
        RuleRow{"OnnxSplitAtEach",
                "() { %x = onnx::Constant(value_strings=[\"a,b\", \"\", \",a,,\"]) "
                "%r, %n = onnx::StringSplit(%x, delimiter=\",\") return %r, %n }",
                "string[3, 4]; int64[3] = [2, 1, 4]"},
        RuleRow{"OnnxSplitAtMost",
                "() { %x = onnx::Constant(value_strings=[\"a,b,c\", \"a\"]) "
                "%r, %n = onnx::StringSplit(%x, delimiter=\",\", maxsplit=1) return %r, %n }",
                "string[2, 2]; int64[2] = [2, 1]"},
        RuleRow{"OnnxSplitAtSpaces",
                "() { %x = onnx::Constant(value_strings=[\" a  b c \", \" \"]) "
                "%r, %n = onnx::StringSplit(%x) return %r, %n }",
                "string[2, 3]; int64[2] = [3, 0]"},
        RuleRow{"OnnxSplitWhereSpacesAreNotKnown",
                "() { %x = onnx::Constant(value_strings=[\"ü b\"]) %r, %n = onnx::StringSplit(%x) return %r, %n }",
                "string[1, u_0]; int64[1]"},
        RuleRow{"OnnxCountsNgrams",
                "(%x: int64[s0, 12]) { %r = onnx::TfIdfVectorizer(%x, ngram_indexes=[0, 6, 3]) return %r }",
                "float32[s0, 7]"},
        RuleRow{"OnnxMatch", "(%x: string[s0]) { %r = onnx::RegexFullMatch(%x, pattern=\"a\") return %r }", "bool[s0]"},
        RuleRow{"OnnxNormalize", "(%x: string[4]) { %r = onnx::StringNormalizer(%x) return %r }", "string[4]"},
        RuleRow{"OnnxNormalizeLeavesWordsOut",
                "(%x: string[1, 4]) { %r = onnx::StringNormalizer(%x, stopwords=[\"a\"]) return %r }",
                "string[1, u_0]"},
        RuleRow{"OnnxNormalizeCounts",
                "() { %x = onnx::Constant(value_strings=[\"A\", \"b\", \"a\"]) "
                "%r = onnx::StringNormalizer(%x, stopwords=[\"a\"]) "
                "%s = onnx::StringNormalizer(%x, stopwords=[\"a\"], is_case_sensitive=1) return %r, %s }",
                "string[1]; string[2]"},
        RuleRow{"OnnxNormalizeLeavesOne",
                "() { %x = onnx::Constant(value_strings=[\"a\", \"a\"]) "
                "%r = onnx::StringNormalizer(%x, stopwords=[\"a\"]) return %r }",
                "string[1]"},
        RuleRow{"OnnxNormalizeOfOtherAlphabets",
                "() { %x = onnx::Constant(value_strings=[\"Ä\", \"b\"]) "
                "%r = onnx::StringNormalizer(%x, stopwords=[\"ä\"]) "
                "%s = onnx::StringNormalizer(%x, stopwords=[\"Ä\"], is_case_sensitive=1) return %r, %s }",
                "string[u_0]; string[1]"},
        RuleRow{"OnnxTokens", "(%x: string[s0]) { %r = com.microsoft::Tokenizer(%x) return %r }", "string[s0, u_0]"},
        RuleRow{"OnnxHash",
                "(%x: string[s0]) { %r = com.microsoft::MurmurHash3(%x) %s = com.microsoft::MurmurHash3(%x, "
                "positive=0) return %r, %s }",
                "uint32[s0]; int32[s0]"},
        RuleRow{
            "OnnxWordEmbedding",
            "(%x: int32[s0, 20], %w: float32[64, 1, 3, 8]) { %r = com.microsoft::WordConvEmbedding(%x, %w) return %r }",
            "float32[s0, 64]"}),
    rowName);

} // namespace

} // namespace cutaway::test
