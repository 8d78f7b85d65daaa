// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/demands/onnx_inputs.h"

#include "core/base/formatted.h"
#include "core/ops/demands/expected.h"
#include "core/ops/schemas/onnx_inputs.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <unordered_map>
#include <vector>

// ONNX says some things of single inputs and attributes in words, not in the types of its schemas: how many dimensions
// an input has, and which texts an attribute may be. The tables here hold them.

namespace cutaway::ops::demand {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

struct InputRank {
    std::string_view names; ///< operators, with blanks between
    std::size_t input, least, most = least;
};

constexpr InputRank ranks[] = {
    {"Reshape Expand Tile Pad TopK Compress AffineGrid ReverseSequence Col2Im CenterCropPad", 1, 1},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
     "ReduceSumSquare Split Squeeze Unsqueeze",
     1, 0, 1},
    {"Slice", 1, 1},
    {"Slice Col2Im OneHot RoiAlign", 2, 1},
    {"Slice", 3, 1},
    {"Slice", 4, 1},
    {"ConstantOfShape ImageDecoder", 0, 1},
    {"Dropout", 1, 0},
    {"Dropout", 2, 0},
    {"HannWindow HammingWindow BlackmanWindow", 0, 0},
    {"Range", 0, 0, 1},
    {"Range", 1, 0, 1},
    {"Range", 2, 0, 1},
    {"Trilu Det ReverseSequence", 0, 2, any},
    {"EyeLike Gemm Multinomial", 0, 2},
    {"Gemm RoiAlign", 1, 2},
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

struct AttributeWords {
    std::string_view names; ///< operators, with blanks between
    std::string_view attribute;
    std::string_view words; ///< the texts that it may be, with blanks between
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

/// The rows by each of their operators.
template <class Row>
using Rows = std::unordered_map<std::string_view, std::vector<const Row *>>;

template <class Row>
Rows<Row> byOperator(std::span<const Row> all)
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

bool fitRank(const Call &call, const InputRank &row)
{
    const ir::Shape *shape = call.shape(row.input);
    if (!shape || (shape->size() >= row.least && shape->size() <= row.most))
        return true;
    const std::string_view name = onnxInputName(call.fullName(), call.opset(), row.input);
    call.wrong(formatted("the input {} has {} dimension{}, expected {} {}",
                         name.empty() ? formatted("{}", row.input + 1) : std::string(name), shape->size(),
                         shape->size() == 1 ? "" : "s", row.least == 1 && row.most == 1 ? "is" : "are",
                         row.most == any            ? formatted("at least {}", row.least)
                             : row.most > row.least ? formatted("at most {}", row.most)
                                                    : formatted("{}", row.least)));
    return false;
}

bool fitWord(const Call &call, const AttributeWords &row)
{
    const std::string_view given = call.text(row.attribute);
    if (given.empty() || contains(row.words, given))
        return true;
    std::string known(row.words);
    for (std::size_t at = known.find(' '); at != std::string::npos; at = known.find(' ', at + 2))
        known.replace(at, 1, ", ");
    call.wrong(formatted("{} is \"{}\", none of {}", row.attribute, given, known));
    return false;
}

} // namespace

void check(const Call &call, DemandRule demand)
{
    if (!call.isWrong() && call.dialect() == "onnx") {
        static const auto rankRows = byOperator(std::span<const InputRank>(ranks));
        static const auto wordRows = byOperator(std::span<const AttributeWords>(words));
        if (const auto found = rankRows.find(call.fullName()); found != rankRows.end())
            std::ranges::all_of(found->second, [&](const InputRank *row) { return fitRank(call, *row); });
        if (const auto found = wordRows.find(call.fullName()); found != wordRows.end() && !call.isWrong())
            std::ranges::all_of(found->second, [&](const AttributeWords *row) { return fitWord(call, *row); });
    }
    if (demand && !call.isWrong())
        demand(call);
}

void classTargets(const Call &call)
{
    const ir::Shape *input = call.shape(0u);
    if (!input || input->size() < 2)
        return;
    ir::Shape expected = *input;
    expected.erase(expected.begin() + 1);
    expectShape(call, 1u, "the target", expected, formatted("as the input is {}", ir::print(*input)))
        && expectShape(call, 2u, "the weight", {(*input)[1]},
                       formatted("as there are {} classes", ir::print((*input)[1])));
}

void boxesAndScores(const Call &call)
{
    const ir::Shape *boxes = call.shape(0u), *scores = call.shape(1u);
    if (boxes && scores && boxes->size() == 3 && scores->size() == 3)
        expectShape(call, 0u, "the tensor of boxes", {(*scores)[0], (*scores)[2], std::int64_t{4}},
                    formatted("as the scores have the shape {}", ir::print(*scores)));
}

} // namespace cutaway::ops::demand
