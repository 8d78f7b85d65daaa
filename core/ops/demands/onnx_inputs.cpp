// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/demands/onnx_inputs.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/dtype.h"
#include "core/ops/demands/expected.h"
#include "core/ops/schemas/onnx_inputs.h"
#include "core/ops/schemas/onnx_types.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <unordered_map>
#include <variant>
#include <vector>

// ONNX's documentation restricts some inputs and attributes more than the types of its schemas do: how many dimensions
// an input has, which numbers it may hold, and which texts and numbers an attribute may be. The tables here hold these
// restrictions.

namespace cutaway::ops::demand {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

struct InputRank {
    std::string_view names; ///< the operators, with blanks between them
    std::size_t input, least, most = least;
};

constexpr InputRank ranks[] = {
    {"Reshape Expand Tile Pad TopK Compress AffineGrid ReverseSequence Col2Im CenterCropPad", 1, 1},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
     "ReduceSumSquare Resize Upsample",
     1, 1},
    {"Split Squeeze Unsqueeze", 1, 0, 1},
    {"MaxUnpool RoiAlign Resize", 2, 1},
    {"Resize", 3, 1},
    {"Gemm", 2, 0, 2},
    {"TfIdfVectorizer StringNormalizer", 0, 1, 2},
    {"Slice", 1, 1},
    {"Slice Col2Im OneHot", 2, 1},
    {"Slice", 3, 1},
    {"Slice", 4, 1},
    {"ConstantOfShape ImageDecoder", 0, 1},
    {"Dropout", 1, 0},
    {"Dropout", 2, 0},
    {"HannWindow HammingWindow BlackmanWindow", 0, 0},
    {"Trilu Det ReverseSequence", 0, 2, any},
    {"EyeLike Gemm Multinomial", 0, 2},
    {"Gemm RoiAlign MaxRoiPool", 1, 2},
    {"AffineGrid Col2Im NonMaxSuppression LSTM GRU RNN", 0, 3},
    {"NonMaxSuppression LSTM GRU RNN", 1, 3},
    {"LSTM GRU RNN", 2, 3},
    {"LSTM GRU RNN", 3, 2},
    {"LSTM GRU RNN", 4, 1},
    {"RoiAlign SpaceToDepth DepthToSpace MaxRoiPool", 0, 4},
    {"Conv ConvTranspose ConvInteger QLinearConv DeformConv MaxPool AveragePool LpPool GlobalMaxPool "
     "GlobalAveragePool GlobalLpPool InstanceNormalization GroupNormalization LRN",
     0, 3, any},
};

struct ScalarInput {
    std::string_view names; ///< the operators, with blanks between them
    std::size_t input;
};

constexpr ScalarInput scalars[] = {
    {"Range", 0},
    {"Range Trilu CumSum QLinearConv STFT DFT OneHot", 1},
    {"Range QLinearConv ConvInteger", 2},
    {"QLinearConv", 6},
    {"QLinearConv", 7},
};

/// The range of an integer that an input or attribute gives.
struct NumberRange {
    std::string_view names; ///< the operators, with blanks between them
    std::variant<std::size_t, std::string_view> place;
    std::int64_t least, most = std::numeric_limits<std::int64_t>::max();
};

constexpr NumberRange numbers[] = {
    {"Mod", "fmod", 0, 1},
    {"LSTM GRU RNN", "layout", 0, 1},
    {"LSTM GRU RNN", "hidden_size", 1},
    {"NonMaxSuppression", "center_point_box", 0, 1},
    {"ReverseSequence", "batch_axis", 0, 1},
    {"ReverseSequence", "time_axis", 0, 1},
    {"DepthToSpace SpaceToDepth", "blocksize", 1},
    {"QuantizeLinear DequantizeLinear", "block_size", 0},
    {"Conv ConvTranspose ConvInteger QLinearConv DeformConv", "group", 1},
    {"DeformConv", "offset_group", 1},
    {"MaxUnpool MaxPool AveragePool LpPool", "kernel_shape", 1},
    {"TfIdfVectorizer", "min_gram_length", 1},
    {"TfIdfVectorizer", "max_skip_count", 0},
    {"TfIdfVectorizer", "ngram_indexes", 0},
    {"HannWindow HammingWindow BlackmanWindow", 0u, 1},
    {"STFT DFT", 1u, 1},
    {"Col2Im", 1u, 1},
    {"Col2Im", 2u, 1},
    {"Col2Im", "dilations", 1},
    {"Col2Im", "strides", 1},
    {"TopK Tile", 1u, 0},
};

/// An attribute that gives the dtype of the results.
struct DTypeAttribute {
    std::string_view names; ///< the operators, with blanks between them
    std::string_view attribute;
};

constexpr DTypeAttribute dtypes[] = {
    {"Cast", "to"},
    {"EyeLike RandomNormal RandomNormalLike RandomUniform RandomUniformLike Bernoulli Multinomial", "dtype"},
    {"HannWindow HammingWindow BlackmanWindow MelWeightMatrix", "output_datatype"},
};

struct AttributeWords {
    std::string_view names; ///< the operators, with blanks between them
    std::string_view attribute;
    std::string_view words; ///< the allowed texts, separated by blanks
};

constexpr AttributeWords words[] = {
    {"BitShift", "direction", "LEFT RIGHT"},
    {"Conv ConvTranspose ConvInteger QLinearConv MaxPool AveragePool LpPool", "auto_pad",
     "NOTSET SAME_UPPER SAME_LOWER VALID"},
    {"DepthToSpace", "mode", "DCR CRD"},
    {"Gelu", "approximate", "none tanh"},
    {"GridSample", "mode", "linear nearest cubic bilinear bicubic"},
    {"GridSample", "padding_mode", "zeros border reflection"},
    {"LSTM GRU RNN", "direction", "forward reverse bidirectional"},
    {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", "reduction", "none sum mean"},
    {"Pad", "mode", "constant reflect edge wrap"},
    {"Resize", "coordinate_transformation_mode",
     "half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn "
     "tf_crop_and_resize"},
    {"Resize Upsample", "mode", "nearest linear cubic bilinear"},
    {"Resize", "nearest_mode", "round_prefer_floor round_prefer_ceil floor ceil"},
    {"Resize", "keep_aspect_ratio_policy", "stretch not_larger not_smaller"},
    {"RoiAlign", "mode", "avg max"},
    {"RoiAlign", "coordinate_transformation_mode", "half_pixel output_half_pixel"},
    {"ScatterElements ScatterND", "reduction", "none add mul max min"},
    {"StringNormalizer", "case_change_action", "NONE LOWER UPPER"},
    {"TfIdfVectorizer", "mode", "TF IDF TFIDF"},
};

/// The rows of a table by operator; a row of several operators is listed for each.
template <class Row>
using Rows = std::unordered_map<std::string_view, std::vector<const Row *>>;

template <class Row, std::size_t count>
Rows<Row> byOperator(std::span<const Row, count> all)
{
    Rows<Row> rows;
    for (const Row &row : all)
        for (const auto name : row.names | std::views::split(' '))
            rows[std::string_view(name)].push_back(&row);
    return rows;
}

bool contains(std::string_view list, std::string_view word)
{
    return std::ranges::any_of(list | std::views::split(' '),
                               [&](const auto &each) { return std::string_view(each) == word; });
}

/// Returns "the input B", or "the input 2" if ONNX has no name for it.
std::string nameOf(const Call &call, std::size_t input)
{
    const std::string_view name = onnxInputName(call.fullName(), call.opset(), input);
    return name.empty() ? formatted("the input {}", input + 1) : formatted("the input {}", name);
}

Met fitRank(const Call &call, const InputRank &row)
{
    const ir::Shape *shape = call.shape(row.input);
    if (!shape || (shape->size() >= row.least && shape->size() <= row.most))
        return {};
    return wrong(formatted("{} has {} dimension{}, expected {} {}", nameOf(call, row.input), shape->size(),
                           shape->size() == 1 ? "" : "s", row.least == 1 && row.most == 1 ? "is" : "are",
                           row.most == any            ? formatted("at least {}", row.least)
                               : row.most > row.least ? formatted("at most {}", row.most)
                                                      : formatted("{}", row.least)));
}

Met fitWord(const Call &call, const AttributeWords &row)
{
    const std::string_view given = call.text(row.attribute);
    if (given.empty() || contains(row.words, given))
        return {};
    std::string known(row.words);
    for (std::size_t at = known.find(' '); at != std::string::npos; at = known.find(' ', at + 2))
        known.replace(at, 1, ", ");
    return wrong(formatted("{} is \"{}\", none of {}", row.attribute, given, known));
}

Met fitScalar(const Call &call, const ScalarInput &row)
{
    const ir::Shape *shape = call.shape(row.input);
    if (!shape || mayBeScalar(*shape))
        return {};
    return wrong(formatted("{} has the shape {}, expected is one number", nameOf(call, row.input), ir::print(*shape)));
}

Met fitNumbers(const Call &call, const NumberRange &row)
{
    const auto *input = std::get_if<std::size_t>(&row.place);
    const auto *attribute = std::get_if<std::string_view>(&row.place);
    const auto given = input ? call.sizes(*input) : call.has(*attribute) ? call.sizes(*attribute) : std::nullopt;
    for (const ir::Dim &each : given ? *given : std::vector<ir::Dim>())
        if (const auto known = number(each); known && (*known < row.least || *known > row.most)) {
            const std::string name = input ? nameOf(call, *input) : std::string(*attribute);
            const std::string expected = row.most == std::numeric_limits<std::int64_t>::max()
                ? formatted("at least {}", row.least)
                : formatted("{} to {}", row.least, row.most);
            return wrong(formatted("{} holds {}, expected is {}", name, *known, expected));
        }
    return {};
}

Met fitDType(const Call &call, const DTypeAttribute &row)
{
    const auto given = call.integer(row.attribute);
    const OnnxTypes *types = given ? onnxTypesIn(call.fullName(), call.opset()) : nullptr;
    constexpr std::int64_t letters = 26;
    if (!types || (*given >= 1 && *given <= letters && types->output(0).contains(static_cast<char>('a' + *given - 1))))
        return {};
    const auto dtype = ir::dtypeFromNumber(*given, ir::Numbering::Onnx);
    return wrong(formatted("{} is {}, of which there are no results", row.attribute,
                           dtype ? std::string(ir::name(*dtype)) : formatted("{}", *given)));
}

/// Checks a call against all rows of its operator.
template <class Row>
Met hold(const Call &call, const Rows<Row> &rows, Met (*fits)(const Call &, const Row &))
{
    if (const auto found = rows.find(call.fullName()); found != rows.end())
        for (const Row *row : found->second)
            CUTAWAY_RETURN_IF_ERROR(fits(call, *row));
    return {};
}

} // namespace

Met check(const Call &call, DemandRule demand)
{
    if (call.dialect() == "onnx") {
        static const auto rankRows = byOperator(std::span(ranks));
        static const auto scalarRows = byOperator(std::span(scalars));
        static const auto numberRows = byOperator(std::span(numbers));
        static const auto dtypeRows = byOperator(std::span(dtypes));
        static const auto wordRows = byOperator(std::span(words));
        CUTAWAY_RETURN_IF_ERROR(hold(call, rankRows, fitRank));
        CUTAWAY_RETURN_IF_ERROR(hold(call, scalarRows, fitScalar));
        CUTAWAY_RETURN_IF_ERROR(hold(call, numberRows, fitNumbers));
        CUTAWAY_RETURN_IF_ERROR(hold(call, dtypeRows, fitDType));
        CUTAWAY_RETURN_IF_ERROR(hold(call, wordRows, fitWord));
    }
    return demand ? demand(call) : Met();
}

} // namespace cutaway::ops::demand
