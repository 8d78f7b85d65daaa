// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/layers.h"

#include "core/ops/row_names.h"
#include "core/ops/torch/signatures.h"
#include "core/print/python_operands.h"
#include "core/print/torch/dotted_path.h"
#include "core/print/torch/holes.h"
#include "core/print/torch/tensor_paths.h"
#include "core/rules/rule_table.h"

#include <algorithm>

namespace cutaway::print {

namespace {

using Integers = std::vector<std::int64_t>;

std::string tupleText(const Integers &numbers)
{
    std::string text = "(";
    for (const std::int64_t n : numbers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(n);
    return text + (numbers.size() == 1 ? ",)" : ")");
}

/// Returns the sizes as a tuple, or as one number if all are the same.
std::string sizesText(const Integers &numbers)
{
    const bool isOne = !numbers.empty() && std::ranges::all_of(numbers, [&](auto n) { return n == numbers.front(); });
    return isOne ? std::to_string(numbers.front()) : tupleText(numbers);
}

/// Reads a node's arguments as the constructor of a module takes them. The module does not fit if one of them cannot be
/// expressed.
class LayerReader {
public:
    LayerReader(const ir::Model &model, const ir::NodeRef &node, const TensorPaths &paths, ops::Signatures &signatures)
        : m_model(model),
          m_node(node),
          m_paths(paths),
          m_signature(signatures.of(node->op))
    {
    }

    Layer layer;
    bool hasFailed() const { return m_hasFailed; }
    bool fail() { return !(m_hasFailed = true); }
    bool expect(bool holds) { return holds || fail(); }
    std::string_view opName() const { return m_node.opName(); }
    const ir::Graph &graph() const { return m_node.graph(); }

    /// Returns the argument; nullptr if the default of the schema holds.
    const ir::Operand *given(std::string_view name) const
    {
        return m_signature ? ops::givenArgument(m_node, m_signature, name) : m_node.argument(name);
    }
    bool isNone(std::string_view name) const
    {
        const ir::Operand *operand = given(name);
        return !operand || operand->as<ir::None>();
    }

    void takeData(std::string_view name)
    {
        const ir::Operand *operand = given(name);
        if (expect(operand && operand->as<ir::ValueId>() && !m_paths.tensorOf(*operand)))
            layer.data = *operand;
    }

    /// Returns the shape of a tensor argument, which has to be the module's tensor named `attribute`.
    std::vector<std::int64_t> takeWeight(std::string_view name, std::string_view attribute, bool isFloating = true)
    {
        const ir::Operand *operand = given(name);
        const auto tensor = operand ? m_paths.tensorOf(*operand) : std::nullopt;
        if (!expect(tensor.has_value()))
            return {};
        const std::string &path = m_paths.of(*tensor);
        if (layer.tensors.empty())
            layer.path = parentPath(path);
        const ir::Tensor &found = m_model.at(*tensor);
        expect(!layer.path.empty() && parentPath(path) == layer.path && lastName(path) == attribute);
        expect(!isFloating || ir::isFloating(found.dtype));
        layer.tensors.push_back(*tensor);
        return found.shape;
    }

    std::optional<std::int64_t> integer(std::string_view name) const
    {
        const ir::Operand *operand = given(name);
        const auto *number = operand ? operand->as<std::int64_t>() : nullptr;
        return number ? std::optional(*number) : std::nullopt;
    }

    std::int64_t integerOr(std::string_view name, std::int64_t byDefault)
    {
        const ir::Operand *operand = given(name);
        const auto number = integer(name);
        expect(!operand || number);
        return number.value_or(byDefault);
    }

    double floatOr(std::string_view name, double byDefault)
    {
        const ir::Operand *operand = given(name);
        if (!operand)
            return byDefault;
        if (const auto *number = operand->as<double>())
            return *number;
        if (const auto *number = operand->as<std::int64_t>())
            return static_cast<double>(*number);
        fail();
        return byDefault;
    }

    bool flagOr(std::string_view name, bool byDefault)
    {
        const ir::Operand *operand = given(name);
        const auto *flag = operand ? operand->as<bool>() : nullptr;
        expect(!operand || flag);
        return flag ? *flag : byDefault;
    }

    /// Returns a list of known numbers; a single number stands for `count` equal ones.
    Integers integersOr(std::string_view name, Integers byDefault, std::size_t count)
    {
        const ir::Operand *operand = given(name);
        if (!operand)
            return byDefault;
        const auto listed = constants(*operand);
        if (!expect(listed.has_value()))
            return byDefault;
        return listed->size() == 1 && count > 1 ? Integers(count, listed->front()) : *listed;
    }

    std::optional<Integers> constants(const ir::Operand &operand) const
    {
        if (const auto *number = operand.as<std::int64_t>())
            return Integers{*number};
        const auto *list = operand.as<ir::List>();
        if (!list)
            return std::nullopt;
        Integers numbers;
        for (const ir::Operand &item : list->items) {
            const auto *number = item.as<std::int64_t>();
            if (!number)
                return std::nullopt;
            numbers.push_back(*number);
        }
        return numbers;
    }

    /// Returns the class of the file's module with this path; "" if the file does not record it.
    std::string_view className(std::string_view path) const
    {
        const auto known = m_model.modulesByPath.find(m_model.context->name(path));
        return known == m_model.modulesByPath.end() ? "" : m_model.context->text(m_model.at(known->second).className);
    }

    std::string literal(double number) const
    {
        const auto none = [](auto) { return std::string(); };
        return PythonOperands(m_model, none, none).print(number);
    }

private:
    const ir::Model &m_model;
    const ir::NodeRef &m_node;
    const TensorPaths &m_paths;
    const ops::Signature *m_signature;
    bool m_hasFailed = false;
};

/// Returns the number of dimensions in the name of an operator: 2 for "conv2d".
std::size_t dimensionsOf(std::string_view name)
{
    const std::size_t digit = name.find_first_of("123");
    return digit == name.npos ? 0 : static_cast<std::size_t>(name[digit] - '0');
}

std::string withDimensions(std::string_view module, std::size_t dimensions)
{
    return "nn." + std::string(module) + std::to_string(dimensions) + "d(";
}

std::string biasText(bool hasBias) { return hasBias ? "" : ", bias=False"; }

void readConvolution(LayerReader &read, bool isTransposed)
{
    read.takeData("input");
    const Integers shape = read.takeWeight("weight", "weight");
    if (!read.expect(shape.size() >= 3))
        return;
    const std::size_t dimensions = shape.size() - 2;
    const bool hasBias = !read.isNone("bias");
    if (hasBias)
        read.takeWeight("bias", "bias");
    const std::int64_t groups = read.integerOr("groups", 1);
    const auto many = [&](std::int64_t n) { return Integers(dimensions, n); };
    const std::string stride = sizesText(read.integersOr("stride", many(1), dimensions));
    const std::string padding = sizesText(read.integersOr("padding", many(0), dimensions));
    const std::string dilation = sizesText(read.integersOr("dilation", many(1), dimensions));
    const std::string outputPadding = sizesText(read.integersOr("output_padding", many(0), dimensions));
    const std::int64_t in = isTransposed ? shape[0] : shape[1] * groups;
    const std::int64_t out = isTransposed ? shape[1] * groups : shape[0];
    read.layer.code = withDimensions(isTransposed ? "ConvTranspose" : "Conv", dimensions)
        + hole("in_channels", std::to_string(in)) + ", " + hole("out_channels", std::to_string(out)) + ", "
        + hole("kernel_size", sizesText({shape.begin() + 2, shape.end()})) + option("stride", stride, "1")
        + option("padding", padding, "0") + (isTransposed ? option("output_padding", outputPadding, "0") : "")
        + option("dilation", dilation, "1") + option("groups", std::to_string(groups), "1") + biasText(hasBias) + ")";
}

void convolution(LayerReader &read) { readConvolution(read, false); }
void transposedConvolution(LayerReader &read) { readConvolution(read, true); }

/// Reads aten::convolution or aten::_convolution, which traces have for every kind of convolution.
void anyConvolution(LayerReader &read) { readConvolution(read, read.flagOr("transposed", false)); }

void linear(LayerReader &read)
{
    read.takeData("input");
    const Integers shape = read.takeWeight("weight", "weight");
    if (!read.expect(shape.size() == 2))
        return;
    const bool hasBias = !read.isNone("bias");
    if (hasBias)
        read.takeWeight("bias", "bias");
    read.layer.code = "nn.Linear(" + hole("in_features", std::to_string(shape[1])) + ", "
        + hole("out_features", std::to_string(shape[0])) + biasText(hasBias) + ")";
}

void embedding(LayerReader &read)
{
    read.takeData("indices");
    const Integers shape = read.takeWeight("weight", "weight");
    // Further arguments matter only in training.
    if (read.expect(shape.size() == 2))
        read.layer.code = "nn.Embedding(" + hole("num_embeddings", std::to_string(shape[0])) + ", "
            + hole("embedding_dim", std::to_string(shape[1])) + ")";
}

/// Reads a batch normalization. The rank of the data decides which module it is; where the rank is not known, the class
/// that the file records does.
void batchNorm(LayerReader &read)
{
    read.takeData("input");
    read.expect(!read.flagOr("training", true));
    const Integers shape = read.takeWeight("weight", "weight");
    read.takeWeight("bias", "bias");
    read.takeWeight("running_mean", "running_mean");
    read.takeWeight("running_var", "running_var");
    if (!read.expect(shape.size() == 1))
        return;
    const auto data = ir::valueOf(read.graph(), &read.layer.data);
    const ir::TensorType *type = data ? data->tensorType() : nullptr;
    const std::size_t rank = type && type->shape ? type->shape->size() : 0;
    const std::string_view className = lastName(read.className(read.layer.path));
    const std::size_t dimensions = rank >= 3 ? rank - 2 : rank == 2 ? 1 : dimensionsOf(className);
    if (!read.expect(dimensions >= 1 && dimensions <= 3))
        return;
    read.layer.countsBatches = true;
    read.layer.code = withDimensions("BatchNorm", dimensions) + hole("num_features", std::to_string(shape[0]))
        + option("eps", read.literal(read.floatOr("eps", 1e-5)), "1e-05")
        + option("momentum", read.literal(read.floatOr("momentum", 0.1)), "0.1") + ")";
}

void layerNorm(LayerReader &read)
{
    read.takeData("input");
    const Integers shape = read.integersOr("normalized_shape", {}, 0);
    const bool hasBias = !read.isNone("bias");
    if (!read.expect(!shape.empty() && read.takeWeight("weight", "weight") == shape))
        return;
    if (hasBias)
        read.takeWeight("bias", "bias");
    read.layer.code = "nn.LayerNorm("
        + hole("normalized_shape", shape.size() == 1 ? sizesText(shape) : tupleText(shape))
        + option("eps", read.literal(read.floatOr("eps", 1e-5)), "1e-05") + biasText(hasBias) + ")";
}

void groupNorm(LayerReader &read)
{
    read.takeData("input");
    const Integers shape = read.takeWeight("weight", "weight");
    read.takeWeight("bias", "bias");
    const std::int64_t groups = read.integerOr("num_groups", 0);
    if (read.expect(shape.size() == 1 && groups > 0))
        read.layer.code = "nn.GroupNorm(" + hole("num_groups", std::to_string(groups)) + ", "
            + hole("num_channels", std::to_string(shape[0]))
            + option("eps", read.literal(read.floatOr("eps", 1e-5)), "1e-05") + ")";
}

void prelu(LayerReader &read)
{
    read.takeData("self");
    const Integers shape = read.takeWeight("weight", "weight");
    if (read.expect(shape.size() == 1))
        read.layer.code = "nn.PReLU(" + hole("num_parameters", std::to_string(shape[0])) + ")";
}

// ---- modules without weights

void maxPool(LayerReader &read)
{
    read.takeData("self");
    const std::size_t dimensions = dimensionsOf(read.opName());
    const auto many = [&](std::int64_t n) { return Integers(dimensions, n); };
    const Integers kernel = read.integersOr("kernel_size", {}, dimensions);
    Integers stride = read.integersOr("stride", {}, dimensions);
    stride = stride.empty() ? kernel : stride;
    read.layer.code = withDimensions("MaxPool", dimensions) + hole("kernel_size", sizesText(kernel))
        + option("stride", sizesText(stride), sizesText(kernel))
        + option("padding", sizesText(read.integersOr("padding", many(0), dimensions)), "0")
        + option("dilation", sizesText(read.integersOr("dilation", many(1), dimensions)), "1")
        + (read.flagOr("ceil_mode", false) ? ", ceil_mode=True" : "") + ")";
}

void avgPool(LayerReader &read)
{
    read.takeData("self");
    const std::size_t dimensions = dimensionsOf(read.opName());
    const Integers kernel = read.integersOr("kernel_size", {}, dimensions);
    Integers stride = read.integersOr("stride", {}, dimensions);
    stride = stride.empty() ? kernel : stride;
    read.expect(read.isNone("divisor_override"));
    read.layer.code = withDimensions("AvgPool", dimensions) + hole("kernel_size", sizesText(kernel))
        + option("stride", sizesText(stride), sizesText(kernel))
        + option("padding", sizesText(read.integersOr("padding", Integers(dimensions, 0), dimensions)), "0")
        + (read.flagOr("ceil_mode", false) ? ", ceil_mode=True" : "")
        + (read.flagOr("count_include_pad", true) ? "" : ", count_include_pad=False") + ")";
}

void adaptivePool(LayerReader &read, std::string_view module)
{
    read.takeData("self");
    const std::size_t dimensions = dimensionsOf(read.opName());
    const Integers size = read.integersOr("output_size", {}, dimensions);
    if (read.expect(!size.empty()))
        read.layer.code = withDimensions(module, dimensions) + hole("output_size", sizesText(size)) + ")";
}

void adaptiveAvgPool(LayerReader &read) { adaptivePool(read, "AdaptiveAvgPool"); }

void flatten(LayerReader &read)
{
    read.takeData("self");
    const std::int64_t start = read.integerOr("start_dim", 0);
    const std::int64_t end = read.integerOr("end_dim", -1);
    const std::string both = std::to_string(start) + ", " + std::to_string(end);
    read.layer.code = "nn.Flatten(" + (end != -1 ? both : start != 1 ? std::to_string(start) : "") + ")";
}

void dropout(LayerReader &read)
{
    read.takeData("input");
    read.expect(!read.flagOr("train", true)); // the printed module is one for evaluation
    const bool isInPlace = read.opName().ends_with('_');
    read.layer.code =
        "nn.Dropout(" + hole("p", read.literal(read.floatOr("p", 0.5))) + (isInPlace ? ", inplace=True)" : ")");
}

void readSoftmax(LayerReader &read, std::string_view module)
{
    read.takeData("self");
    read.expect(read.isNone("dtype"));
    read.layer.code =
        "nn." + std::string(module) + "(dim=" + hole("dim", std::to_string(read.integerOr("dim", 0))) + ")";
}

void softmax(LayerReader &read) { readSoftmax(read, "Softmax"); }
void logSoftmax(LayerReader &read) { readSoftmax(read, "LogSoftmax"); }

void gelu(LayerReader &read)
{
    read.takeData("self");
    read.expect(read.isNone("approximate")); // the default of the argument, which is the exact formula
    read.layer.code = "nn.GELU()";
}

void hardtanh(LayerReader &read)
{
    read.takeData("self");
    const double low = read.floatOr("min_val", -1);
    const double high = read.floatOr("max_val", 1);
    const bool isInPlace = read.opName().ends_with('_');
    if (low == 0 && high == 6)
        read.layer.code = std::string("nn.ReLU6(") + (isInPlace ? "inplace=True)" : ")");
    else
        read.layer.code =
            "nn.Hardtanh(" + read.literal(low) + ", " + read.literal(high) + (isInPlace ? ", inplace=True)" : ")");
}

void leakyRelu(LayerReader &read)
{
    read.takeData("self");
    read.layer.code = "nn.LeakyReLU(" + hole("negative_slope", read.literal(read.floatOr("negative_slope", 0.01)))
        + (read.opName().ends_with('_') ? ", inplace=True)" : ")");
}

using LayerRule = void (*)(LayerReader &read);

/// Reads a call of a module that has no arguments, or only `inplace`.
template <const char *module, bool canBeInPlace>
void plainLayer(LayerReader &read)
{
    read.takeData("self");
    const bool isInPlace = read.opName().ends_with('_');
    read.expect(canBeInPlace || !isInPlace);
    read.layer.code = "nn." + std::string(module) + (isInPlace ? "(inplace=True)" : "()");
}

struct LayerRow {
    ops::RowNames names;
    LayerRule rule;
};

constexpr char reluName[] = "ReLU";
constexpr char siluName[] = "SiLU";
constexpr char mishName[] = "Mish";
constexpr char relu6Name[] = "ReLU6";
constexpr char hardswishName[] = "Hardswish";
constexpr char hardsigmoidName[] = "Hardsigmoid";
constexpr char sigmoidName[] = "Sigmoid";
constexpr char tanhName[] = "Tanh";

constexpr LayerRow layerRows[] = {
    {"aten::conv1d aten::conv2d aten::conv3d", convolution},
    {"aten::_convolution", anyConvolution},
    {"aten::conv_transpose1d aten::conv_transpose2d aten::conv_transpose3d", transposedConvolution},
    {"aten::linear", linear},
    {"aten::embedding", embedding},
    {"aten::layer_norm", layerNorm},
    {"aten::group_norm", groupNorm},
    {"aten::batch_norm", batchNorm},
    {"aten::prelu", prelu},
    {"aten::max_pool1d aten::max_pool2d aten::max_pool3d", maxPool},
    {"aten::avg_pool2d aten::avg_pool3d", avgPool},
    {"aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::adaptive_avg_pool3d", adaptiveAvgPool},
    {"aten::flatten", flatten},
    {"aten::dropout aten::dropout_", dropout},
    {"aten::softmax", softmax},
    {"aten::log_softmax", logSoftmax},
    {"aten::gelu", gelu},
    {"aten::hardtanh aten::hardtanh_", hardtanh},
    {"aten::leaky_relu aten::leaky_relu_", leakyRelu},
    {"aten::relu aten::relu_", plainLayer<reluName, true>},
    {"aten::relu6", plainLayer<relu6Name, true>},
    {"aten::silu aten::silu_", plainLayer<siluName, true>},
    {"aten::mish", plainLayer<mishName, true>},
    {"aten::hardswish aten::hardswish_", plainLayer<hardswishName, true>},
    {"aten::hardsigmoid aten::hardsigmoid_", plainLayer<hardsigmoidName, true>},
    {"aten::sigmoid", plainLayer<sigmoidName, false>},
    {"aten::tanh", plainLayer<tanhName, false>},
};

const LayerRow *layerRow(std::string_view dialect, std::string_view name)
{
    static const rules::RuleTable<LayerRow> table{layerRows};
    return table.first(dialect, name);
}

/// Whether a module of this class may be one of torch.nn. Another module may have computed more than the nodes that are
/// left of it, or something else.
bool mayBeOfTorch(std::string_view className)
{
    return className.empty() || className.starts_with("torch.nn.") || className.contains(".torch.nn.");
}

} // namespace

bool hasLayer(std::string_view dialect, std::string_view name) { return layerRow(dialect, name) != nullptr; }

std::optional<Layer> layerOf(const ir::Model &model, const ir::NodeRef &node, const TensorPaths &paths,
                             ops::Signatures &signatures)
{
    if (node->outputs.size() != 1 || !node->regions.empty())
        return std::nullopt;
    const LayerRow *row = layerRow(node.dialect(), node.opName());
    if (!row)
        return std::nullopt;
    LayerReader read(model, node, paths, signatures);
    row->rule(read);
    if (read.hasFailed())
        return std::nullopt;
    if (read.layer.tensors.empty()) {
        const ir::Scope &scope = node.scope();
        read.layer.path = model.context->text(scope.path);
        if (!mayBeOfTorch(model.context->text(scope.className)) || !mayBeOfTorch(read.className(read.layer.path)))
            return std::nullopt;
    }
    return read.layer.path.empty() ? std::nullopt : std::optional(std::move(read.layer));
}

} // namespace cutaway::print
