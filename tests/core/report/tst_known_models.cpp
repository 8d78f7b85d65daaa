// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counts.h"
#include "core/analysis/shapes.h"
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "tests/core/analysis/analysed_again.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/report/net_text.h"

#include <gtest/gtest.h>

// Parameters and multiply-adds of well-known networks, worked out on paper below, against what is derived from their
// graphs. The rules of the paper:
//   a convolution of k×k over c channels takes c·k·k multiply-adds for each of its filters at each of its places;
//   a linear layer takes in·out for each row; a product of [m, k] and [k, n] takes m·k·n;
//   attention is two products: n·n·width for the scores and as much for the weighted sum, whatever the heads;
//   nothing else is counted: no biases, normalisations, activations or poolings. A multiply-add is two FLOPs.
namespace cutaway::test {

namespace {

using Bias = NetText::Bias;
using Integer = std::int64_t;

// ---------------------------------------------------------------- AlexNet, 1×3×224×224
// Places: (224 + 2·2 − 11)/4 + 1 = 55, pooled (55 − 3)/2 + 1 = 27, pooled 13, pooled 6.

constexpr Integer alexNetMacs = Integer{55} * 55 * 64 * (3 * 11 * 11) // 70,276,800
    + 27 * 27 * 192 * (64 * 5 * 5)                                    // 223,948,800
    + 13 * 13 * 384 * (192 * 3 * 3)                                   // 112,140,288
    + 13 * 13 * 256 * (384 * 3 * 3)                                   // 149,520,384
    + 13 * 13 * 256 * (256 * 3 * 3)                                   // 99,680,256
    + (256 * 6 * 6) * 4096 + 4096 * 4096 + 4096 * 1000;               // 37,748,736 + 16,777,216 + 4,096,000
constexpr Integer alexNetParameters = 64 * (3 * 11 * 11) + 64         // 23,296
    + 192 * (64 * 5 * 5) + 192                                        // 307,392
    + 384 * (192 * 3 * 3) + 384                                       // 663,936
    + 256 * (384 * 3 * 3) + 256                                       // 884,992
    + 256 * (256 * 3 * 3) + 256                                       // 590,080
    + (256 * 6 * 6) * 4096 + 4096                                     // 37,752,832
    + 4096 * 4096 + 4096                                              // 16,781,312
    + 4096 * 1000 + 1000;                                             // 4,097,000
static_assert(alexNetMacs == 714'188'480 && alexNetParameters == 61'100'840);

std::string alexNet()
{
    NetText net;
    const auto relu = [&](const std::string &x) { return net.node("aten::relu(" + x + ")"); };
    const auto pooled = [&](const std::string &x) { return net.node("aten::max_pool2d(" + x + ", [3], [2])"); };
    std::string x = pooled(relu(net.convolution("%x", {3, 64, 11, 4, 2, 1, true})));
    x = pooled(relu(net.convolution(x, {64, 192, 5, 1, 2, 1, true})));
    x = relu(net.convolution(x, {192, 384, 3, 1, 1, 1, true}));
    x = relu(net.convolution(x, {384, 256, 3, 1, 1, 1, true}));
    x = pooled(relu(net.convolution(x, {256, 256, 3, 1, 1, 1, true})));
    x = net.node("aten::flatten.using_ints(" + net.node("aten::adaptive_avg_pool2d(" + x + ", [6, 6])") + ", 1)");
    x = relu(net.linear(relu(net.linear(x, 256 * 6 * 6, 4096)), 4096, 4096));
    return net.model("%x: float32[1, 3, 224, 224]", net.linear(x, 4096, 1000));
}

// ---------------------------------------------------------------- ResNet-50, 1×3×224×224
// A stage has blocks of 1×1, 3×3 and 1×1; the first one halves the places in its 3×3 (not in the first stage) and has a
// 1×1 beside it. The 3×3 of every block: 56·56·64·(64·9) = 28·28·128·(128·9) = … = 115,605,504.

constexpr Integer resNetMacs = Integer{112} * 112 * 64 * (3 * 7 * 7)               // 118,013,952
    + 56 * 56 * (64 * 64 + 64 * 64 * 9 + 64 * 256 + 64 * 256)                      // 231,211,008
    + 2 * 56 * 56 * (256 * 64 + 64 * 64 * 9 + 64 * 256)                            // 2 · 218,365,952
    + 56 * 56 * 256 * 128                                                          // 102,760,448
    + 28 * 28 * (128 * 128 * 9 + 128 * 512 + 256 * 512)                            // 269,746,176
    + 3 * 28 * 28 * (512 * 128 + 128 * 128 * 9 + 128 * 512)                        // 3 · 218,365,952
    + 28 * 28 * 512 * 256                                                          // 102,760,448
    + 14 * 14 * (256 * 256 * 9 + 256 * 1024 + 512 * 1024)                          // 269,746,176
    + 5 * 14 * 14 * (1024 * 256 + 256 * 256 * 9 + 256 * 1024)                      // 5 · 218,365,952
    + 14 * 14 * 1024 * 512                                                         // 102,760,448
    + 7 * 7 * (512 * 512 * 9 + 512 * 2048 + 1024 * 2048)                           // 269,746,176
    + 2 * 7 * 7 * (2048 * 512 + 512 * 512 * 9 + 512 * 2048)                        // 2 · 218,365,952
    + 2048 * 1000;                                                                 // 2,048,000
constexpr Integer resNetParameters = 64 * (3 * 7 * 7) + 2 * 64                     // 9,408 + 128
    + 64 * 64 + 64 * 64 * 9 + 64 * 256 + 64 * 256 + 2 * (2 * 64 + 512)             // 73,728 + 1,280
    + 2 * (256 * 64 + 64 * 64 * 9 + 64 * 256 + 2 * (2 * 64 + 256))                 // 2 · (69,632 + 768)
    + 256 * 128 + 128 * 128 * 9 + 128 * 512 + 256 * 512 + 2 * (2 * 128 + 1024)     // 376,832 + 2,560
    + 3 * (512 * 128 + 128 * 128 * 9 + 128 * 512 + 2 * (2 * 128 + 512))            // 3 · (278,528 + 1,536)
    + 512 * 256 + 256 * 256 * 9 + 256 * 1024 + 512 * 1024 + 2 * (2 * 256 + 2048)   // 1,507,328 + 5,120
    + 5 * (1024 * 256 + 256 * 256 * 9 + 256 * 1024 + 2 * (2 * 256 + 1024))         // 5 · (1,114,112 + 3,072)
    + 1024 * 512 + 512 * 512 * 9 + 512 * 2048 + 1024 * 2048 + 2 * (2 * 512 + 4096) // 6,029,312 + 10,240
    + 2 * (2048 * 512 + 512 * 512 * 9 + 512 * 2048 + 2 * (2 * 512 + 2048))         // 2 · (4,456,448 + 6,144)
    + 2048 * 1000 + 1000;                                                          // 2,049,000
static_assert(resNetMacs == 4'089'184'256 && resNetParameters == 25'557'032);

std::string bottleneck(NetText &net, const std::string &x, Integer in, Integer width, Integer stride)
{
    const auto relu = [&](const std::string &v) { return net.node("aten::relu(" + v + ")"); };
    std::string y = relu(net.batchNorm(net.convolution(x, {in, width, 1}), width));
    y = relu(net.batchNorm(net.convolution(y, {width, width, 3, stride, 1}), width));
    y = net.batchNorm(net.convolution(y, {width, 4 * width, 1}), 4 * width);
    const std::string beside =
        in == 4 * width ? x : net.batchNorm(net.convolution(x, {in, 4 * width, 1, stride}), 4 * width);
    return relu(net.node("aten::add.Tensor(" + y + ", " + beside + ")"));
}

std::string resNetOf(std::string_view batch)
{
    NetText net;
    std::string x = net.node("aten::relu(" + net.batchNorm(net.convolution("%x", {3, 64, 7, 2, 3}), 64) + ")");
    x = net.node("aten::max_pool2d(" + x + ", [3], [2], [1])");
    Integer in = 64;
    for (const auto &[width, blocks] : {std::pair{64, 3}, {128, 4}, {256, 6}, {512, 3}})
        for (int block = 0; block < blocks; ++block) {
            x = bottleneck(net, x, in, width, block == 0 && width > 64 ? 2 : 1);
            in = 4 * width;
        }
    x = net.node("aten::flatten.using_ints(" + net.node("aten::adaptive_avg_pool2d(" + x + ", [1, 1])") + ", 1)");
    return net.model(formatted("%x: float32[{}, 3, 224, 224]", batch), net.linear(x, 2048, 1000));
}

std::string resNet() { return resNetOf("1"); }

// ---------------------------------------------------------------- MobileNetV2, 1×3×224×224
// A block widens c channels to h with 1×1 (not the first), takes 3×3 of each channel by itself, narrows with 1×1.
//
//    c →   h →   o  places       widens       each by itself  narrows          sum    parameters
//   32 →  32 →  16  112                            3,612,672   6,422,528  10,035,200         896
//   16 →  96 →  24  112 → 56     19,267,584        2,709,504   7,225,344  29,202,432       5,136
//   24 → 144 →  24  56           10,838,016        4,064,256  10,838,016  25,740,288       8,832
//   24 → 144 →  32  56 → 28      10,838,016        1,016,064   3,612,672  15,466,752      10,000
//   32 → 192 →  32  28            4,816,896        1,354,752   4,816,896  10,988,544      14,848   twice
//   32 → 192 →  64  28 → 14       4,816,896          338,688   2,408,448   7,564,032      21,056
//   64 → 384 →  64  14            4,816,896          677,376   4,816,896  10,311,168      54,272   three times
//   64 → 384 →  96  14            4,816,896          677,376   7,225,344  12,719,616      66,624
//   96 → 576 →  96  14           10,838,016        1,016,064  10,838,016  22,692,096     118,272   twice
//   96 → 576 → 160  14 → 7       10,838,016          254,016   4,515,840  15,607,872     155,264
//  160 → 960 → 160  7             7,526,400          423,360   7,526,400  15,476,160     320,000   twice
//  160 → 960 → 320  7             7,526,400          423,360  15,052,800  23,002,560     473,920
// Before: 112·112·32·(3·9) = 10,838,016 and 32·27 + 64 = 928. Behind: 7·7·320·1280 = 20,070,400 and 320·1280 + 2·1280 =
// 412,160; 1280·1000 = 1,280,000 and 1,281,000.

constexpr Integer mobileNetMacs = Integer{10'838'016} + 10'035'200 + 29'202'432 + 25'740'288 + 15'466'752
    + 2 * 10'988'544 + 7'564'032 + 3 * 10'311'168 + 12'719'616 + 2 * 22'692'096 + 15'607'872 + 2 * 15'476'160
    + 23'002'560 + 20'070'400 + 1'280'000;
constexpr Integer mobileNetParameters = 928 + 896 + 5'136 + 8'832 + 10'000 + 2 * 14'848 + 21'056 + 3 * 54'272 + 66'624
    + 2 * 118'272 + 155'264 + 2 * 320'000 + 473'920 + 412'160 + 1'281'000;
static_assert(mobileNetMacs == 300'774'272 && mobileNetParameters == 3'504'872);

std::string mobileNet()
{
    NetText net;
    const auto clipped = [&](const std::string &x, const NetText::Convolution &layer) {
        return net.node("aten::relu6(" + net.batchNorm(net.convolution(x, layer), layer.out) + ")");
    };
    struct Stage {
        Integer factor, out, blocks, stride;
    };
    std::string x = clipped("%x", {3, 32, 3, 2, 1});
    Integer in = 32;
    for (const Stage &stage : {Stage{1, 16, 1, 1},
                               {6, 24, 2, 2},
                               {6, 32, 3, 2},
                               {6, 64, 4, 2},
                               {6, 96, 3, 1},
                               {6, 160, 3, 2},
                               {6, 320, 1, 1}})
        for (Integer block = 0; block < stage.blocks; ++block) {
            const Integer wide = stage.factor * in, stride = block == 0 ? stage.stride : 1;
            std::string y = stage.factor > 1 ? clipped(x, {in, wide, 1}) : x;
            y = clipped(y, {wide, wide, 3, stride, 1, wide});
            y = net.batchNorm(net.convolution(y, {wide, stage.out, 1}), stage.out);
            x = block > 0 ? net.node("aten::add.Tensor(" + x + ", " + y + ")") : y;
            in = stage.out;
        }
    x = net.node("aten::mean.dim(" + clipped(x, {320, 1280, 1}) + ", [2, 3])");
    return net.model("%x: float32[1, 3, 224, 224]", net.linear(x, 1280, 1000));
}

// ---------------------------------------------------------------- transformers

/// Attention over `heads` heads of queries, keys and values that lie side by side in the width.
std::string attention(NetText &net, const std::vector<std::string> &qkv, Integer heads, Integer size)
{
    std::vector<std::string> parts;
    for (const std::string &x : qkv)
        parts.push_back(net.node(formatted("aten::transpose.int({}, 1, 2)",
                                           net.node(formatted("aten::view({}, [1, -1, {}, {}])", x, heads, size)))));
    const std::string y =
        net.node(formatted("aten::scaled_dot_product_attention({}, {}, {})", parts[0], parts[1], parts[2]));
    const std::string rows = net.node("aten::transpose.int(" + y + ", 1, 2)");
    return net.node(formatted("aten::reshape({}, [1, -1, {}])", rows, heads * size));
}

/// The block of ViT-B and GPT-2: width 768, 12 heads, four times as wide in between.
std::string block(NetText &net, const std::string &x)
{
    const std::string qkv = net.linear(net.layerNorm(x, 768), 768, 3 * 768);
    const std::string y = attention(net, net.nodes("aten::chunk(" + qkv + ", 3, -1)", 3), 12, 64);
    const std::string sum = net.node(formatted("aten::add.Tensor({}, {})", x, net.linear(y, 768, 768)));
    const std::string wide = net.node("aten::gelu(" + net.linear(net.layerNorm(sum, 768), 768, 4 * 768) + ")");
    return net.node(formatted("aten::add.Tensor({}, {})", sum, net.linear(wide, 4 * 768, 768)));
}

// FLOPs for n rows: queries, keys and values, two products of attention, the output, the two layers in between.
constexpr Integer blockMacs(Integer n)
{
    return n * 768 * (3 * 768) + 2 * n * n * 768 + n * 768 * 768 + 2 * n * 768 * (4 * 768);
}
constexpr Integer blockParameters = 2 * (2 * 768) // 3,072
    + 768 * (3 * 768) + 3 * 768                   // 1,771,776
    + 768 * 768 + 768                             // 590,592
    + 768 * (4 * 768) + 4 * 768                   // 2,362,368
    + (4 * 768) * 768 + 768;                      // 2,360,064
static_assert(blockParameters == 7'087'872);

// ---------------------------------------------------------------- ViT-B/16, 1×3×224×224
// 14·14 patches and the class token are 197 rows.
// A block: 348,585,984 + 2·29,805,312 + 116,195,328 + 2·464,781,312 = 1,453,954,560.

static_assert(blockMacs(197) == 1'453'954'560);
constexpr Integer visionMacs = Integer{14} * 14 * 768 * (3 * 16 * 16) // 115,605,504
    + 12 * blockMacs(197)                                             // 17,447,454,720
    + 768 * 1000;                                                     // 768,000
constexpr Integer visionParameters = 768 * (3 * 16 * 16) + 768        // 590,592
    + 768 + 197 * 768                                                 // 768 + 151,296
    + 12 * blockParameters                                            // 85,054,464
    + 2 * 768                                                         // 1,536
    + 768 * 1000 + 1000;                                              // 769,000
static_assert(visionMacs == 17'563'828'224 && visionParameters == 86'567'656);

std::string vision()
{
    NetText net;
    std::string x = net.convolution("%x", {3, 768, 16, 16, 0, 1, true});
    x = net.node("aten::transpose.int(" + net.node("aten::flatten.using_ints(" + x + ", 2)") + ", 1, 2)");
    x = net.node(formatted("aten::cat([{}, {}], 1)", net.parameter({1, 1, 768}), x));
    x = net.node(formatted("aten::add.Tensor({}, {})", x, net.parameter({1, 197, 768})));
    for (int i = 0; i < 12; ++i)
        x = block(net, x);
    x = net.node("aten::select.int(" + net.layerNorm(x, 768) + ", 1, 0)");
    return net.model("%x: float32[1, 3, 224, 224]", net.linear(x, 768, 1000));
}

// ---------------------------------------------------------------- GPT-2 small, 1024 tokens
// A block: 1,811,939,328 + 2·805,306,368 + 603,979,776 + 2·2,415,919,104 = 8,858,370,048.
// The words' table is the last layer's weight, too.

static_assert(blockMacs(1024) == 8'858'370'048);
constexpr Integer languageMacs = 12 * blockMacs(1024) // 106,300,440,576
    + Integer{1024} * 768 * 50257;                    // 39,523,713,024
constexpr Integer languageParameters = 50257 * 768    // 38,597,376
    + 1024 * 768                                      // 786,432
    + 12 * blockParameters                            // 85,054,464
    + 2 * 768;                                        // 1,536
static_assert(languageMacs == 145'824'153'600 && languageParameters == 124'439'808);

std::string language()
{
    NetText net;
    const std::string words = net.parameter({50257, 768}), places = net.parameter({1024, 768});
    const std::string place = net.node("aten::arange(1024)");
    std::string x = net.node(formatted("aten::add.Tensor({}, {})", net.node("aten::embedding(" + words + ", %x)"),
                                       net.node("aten::embedding(" + places + ", " + place + ")")));
    for (int i = 0; i < 12; ++i)
        x = block(net, x);
    return net.model("%x: int64[1, 1024]", net.node("aten::linear(" + net.layerNorm(x, 768) + ", " + words + ")"));
}

// ---------------------------------------------------------------- one layer of Llama 3 8B, 2048 tokens
// 32 heads of 128 ask, 8 heads of keys and values are repeated four times; no biases, three layers around the gate.

constexpr Integer llamaMacs = 2 * Integer{2048} * 4096 * 4096 // queries and output: 2 · 34,359,738,368
    + 2 * Integer{2048} * 4096 * 1024                         // keys and values: 2 · 8,589,934,592
    + 2 * Integer{2048} * 2048 * 4096                         // attention: 2 · 17,179,869,184
    + 3 * Integer{2048} * 4096 * 14336;                       // gate: 3 · 120,259,084,288
constexpr Integer llamaParameters = 2 * 4096 * 4096           // 33,554,432
    + 2 * 4096 * 1024                                         // 8,388,608
    + 3 * 4096 * 14336                                        // 176,160,768
    + 2 * 4096;                                               // 8,192
static_assert(llamaMacs == 481'036'337'152 && llamaParameters == 218'112'000);

std::string llamaLayer()
{
    NetText net;
    const auto normed = [&](const std::string &x) {
        return net.node(formatted("aten::rms_norm({}, [4096], {})", x, net.parameter({4096})));
    };
    const auto repeated = [&](const std::string &x) {
        const std::string heads = net.node("aten::view(" + x + ", [1, -1, 8, 128])");
        return net.node("aten::repeat_interleave.self_int(" + heads + ", 4, 2)");
    };
    const std::string rows = normed("%x");
    const std::string q = net.linear(rows, 4096, 4096, Bias::Without);
    const std::string k = repeated(net.linear(rows, 4096, 1024, Bias::Without));
    const std::string v = repeated(net.linear(rows, 4096, 1024, Bias::Without));
    const std::string attended = net.linear(attention(net, {q, k, v}, 32, 128), 4096, 4096, Bias::Without);
    const std::string sum = net.node("aten::add.Tensor(%x, " + attended + ")"), next = normed(sum);
    const std::string gate = net.node("aten::silu(" + net.linear(next, 4096, 14336, Bias::Without) + ")");
    const std::string wide =
        net.node(formatted("aten::mul.Tensor({}, {})", gate, net.linear(next, 4096, 14336, Bias::Without)));
    return net.model(
        "%x: float32[1, 2048, 4096]",
        net.node(formatted("aten::add.Tensor({}, {})", sum, net.linear(wide, 14336, 4096, Bias::Without))));
}

// ---------------------------------------------------------------- the table

struct KnownModelRow {
    std::string name;
    std::string (*text)();
    std::string result;
    Integer parameters, macs, flops;
};

class KnownModels : public testing::TestWithParam<KnownModelRow> { };

ir::Dim flopsOf(const analysis::Shapes &shapes)
{
    ir::Dim sum = std::int64_t{0};
    for (std::size_t i = 0; i < shapes.costs.size(); ++i)
        sum = ops::plus(sum, shapes.costs[i].flops);
    return sum;
}

TEST_P(KnownModels, areAsOnPaper)
{
    const ir::Model model = parsed(GetParam().text());
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    EXPECT_TRUE(shapes.stops.empty());
    const auto result = model.functions[0].graph.at(ir::Graph::body).outputs.at(0);
    EXPECT_EQ(ops::print(shapes.of(*result.as<ir::ValueId>())), GetParam().result);
    EXPECT_EQ(analysis::countTensors(model).parameters.elements, GetParam().parameters);
    EXPECT_EQ(flopsOf(shapes), ir::Dim(GetParam().flops));
    EXPECT_EQ(2 * GetParam().macs, GetParam().flops);
    EXPECT_EQ(test::differenceAgain(model), "");
}

INSTANTIATE_TEST_SUITE_P(
    Table, KnownModels,
    testing::Values(
        KnownModelRow{"AlexNet", alexNet, "float32[1, 1000]", alexNetParameters, alexNetMacs, 1'428'376'960},
        KnownModelRow{"ResNet50", resNet, "float32[1, 1000]", resNetParameters, resNetMacs, 8'178'368'512},
        KnownModelRow{"MobileNetV2", mobileNet, "float32[1, 1000]", mobileNetParameters, mobileNetMacs, 601'548'544},
        KnownModelRow{"VitB16", vision, "float32[1, 1000]", visionParameters, visionMacs, 35'127'656'448},
        KnownModelRow{"Gpt2Small", language, "float32[1, 1024, 50257]", languageParameters, languageMacs,
                      291'648'307'200},
        KnownModelRow{"LlamaLayer", llamaLayer, "float32[1, 2048, 4096]", llamaParameters, llamaMacs, 962'072'674'304}),
    [](const testing::TestParamInfo<KnownModelRow> &row) { return row.param.name; });

TEST(KnownModel, costsAsManyTimesAsTheBatchIsLarge)
{
    const ir::Model model = parsed(resNetOf("s0"));
    EXPECT_EQ(ir::print(flopsOf(analysis::inferShapes(model, ir::FunctionId{0}))), "8178368512*s0");
    EXPECT_EQ(test::differenceAgain(model), "");
}

} // namespace

} // namespace cutaway::test
