// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/network/activation.h"
#include "core/passes/dependencies.h"
#include "core/passes/layouts.h"
#include "core/passes/pass.h"

#include <algorithm>
#include <array>

// Which operators are core ATen ones is PyTorch's list (torch.compiler_ir); what the others are made of is the
// definition in their documentation. Views are made only of what certainly lies so that they are possible, else of a
// copy, as torch's own decomposition does; and types are given to all new values, since some formats want them.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using Named = std::pair<std::string_view, Operand>;

class Decomposition {
public:
    explicit Decomposition(Rewriter &rewriter) : m_rewriter(rewriter), m_layouts(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            const auto rule = std::ranges::find(rules, node.opName(), &Rule::name);
            if (rule == rules.end() || node.dialect() != "aten" || node.outputCount() != 1
                || !mayMove(m_rewriter, node))
                continue;
            m_node = node;
            m_rewriter.from({node});
            if (const auto result = (this->*rule->make)()) {
                m_facts.emplace(*result, fact(output()));
                m_layouts.set(*result, output());
                m_rewriter.replaceUses(output(), *result);
                m_rewriter.remove(node);
            }
        }
    }

private:
    using Answer = std::optional<ValueId>;
    struct Rule {
        std::string_view name;
        Answer (Decomposition::*make)();
    };
    static const std::array<Rule, 23> rules;

    // ---- reading the node

    Operand argument(std::string_view name, const Operand &defaultValue = {})
    {
        const Operand *given = m_rewriter.argument(*m_node, name);
        return given ? *given : defaultValue;
    }

    ops::Fact fact(const Operand &operand)
    {
        const auto *value = operand.as<ValueId>();
        const auto replaced = value ? m_facts.find(*value) : m_facts.end();
        return replaced == m_facts.end() ? m_rewriter.fact(operand) : replaced->second;
    }

    std::optional<ops::TensorFact> tensor(const Operand &operand)
    {
        const ops::Fact all = fact(operand);
        const ops::TensorFact *known = ops::asTensor(all);
        return known && known->shape && known->dtype ? std::optional(*known) : std::nullopt;
    }

    ir::ValueRef output() const { return m_node->output(0); }
    ir::TypeId resultType() const { return output()->type; }

    ir::TypeId typeOf(ir::DType dtype, ir::Shape shape)
    {
        ir::TensorType type;
        type.dtype = dtype;
        type.shape = std::move(shape);
        return m_rewriter.context().type(type);
    }

    /// Sizes as a list, if all are numbers.
    static std::optional<Operand> sizes(const ir::Shape &shape)
    {
        ir::List list;
        for (const ir::Dim &dim : shape) {
            const auto number = ops::number(dim);
            if (!number)
                return std::nullopt;
            list.items.emplace_back(*number);
        }
        return list;
    }

    // ---- writing

    NodeRef node(std::string_view name, std::string_view overload, std::initializer_list<Named> arguments)
    {
        std::vector<ir::Argument> named;
        for (const auto &[key, value] : arguments)
            named.push_back({m_rewriter.text(key), value});
        return m_rewriter.insertBefore(*m_node, {"aten", name, overload, std::move(named)});
    }

    ValueId make(std::string_view name, std::string_view overload, std::initializer_list<Named> arguments,
                 ir::TypeId type)
    {
        return m_rewriter.addOutput(node(name, overload, arguments), type, name);
    }

    /// The last node, which has the type and the name of the result.
    ValueId last(std::string_view name, std::string_view overload, std::initializer_list<Named> arguments)
    {
        return m_rewriter.addOutput(node(name, overload, arguments), resultType(), output().name());
    }

    // ---- elementwise

    Answer silu()
    {
        const Operand x = argument("self");
        return last("mul", "Tensor", {{"self", x}, {"other", make("sigmoid", "", {{"self", x}}, resultType())}});
    }

    Answer square() { return last("mul", "Tensor", {{"self", argument("self")}, {"other", argument("self")}}); }

    Answer relu6()
    {
        return last("clamp", "", {{"self", argument("self")}, {"min", std::int64_t{0}}, {"max", std::int64_t{6}}});
    }

    Answer hardTanh()
    {
        return last("clamp", "",
                    {{"self", argument("self")},
                     {"min", argument("min_val", std::int64_t{-1})},
                     {"max", argument("max_val", std::int64_t{1})}});
    }

    /// self + value·a·b
    Answer addcmul()
    {
        const auto a = tensor(argument("tensor1")), b = tensor(argument("tensor2")), all = tensor(output());
        if (!a || !b || !all || a->dtype != b->dtype || a->dtype != all->dtype || *a->shape != *b->shape)
            return std::nullopt;
        const Operand product = make("mul", "Tensor", {{"self", argument("tensor1")}, {"other", argument("tensor2")}},
                                     typeOf(*a->dtype, *a->shape));
        return last("add", "Tensor",
                    {{"self", argument("self")}, {"other", product}, {"alpha", argument("value", std::int64_t{1})}});
    }

    // ---- views

    Answer reshape()
    {
        const auto result = tensor(output());
        const auto shape = result ? sizes(*result->shape) : std::nullopt;
        if (!tensor(argument("self")) || !shape)
            return std::nullopt;
        return last("view", "", {{"self", viewable(argument("self"), *result->shape)}, {"size", *shape}});
    }

    /// The tensor, or a copy of it that lies row by row, unless it certainly can be seen as this shape as it lies.
    Operand viewable(const Operand &tensor, const ir::Shape &shape)
    {
        const ops::Fact all = fact(tensor);
        const ops::TensorFact &known = *ops::asTensor(all);
        const auto *value = tensor.as<ValueId>();
        if (value && (m_layouts.isRowMajor(*value) || (m_layouts.isKnown(*value) && ops::viewed(known, shape))))
            return tensor;
        const ValueId copy = make("clone", "", {{"self", tensor}, {"memory_format", ir::MemoryFormat::Contiguous}},
                                  typeOf(*known.dtype, *known.shape));
        m_layouts.setRowMajor(copy);
        return copy;
    }

    Answer permuted(std::size_t a, std::size_t b, std::size_t rank)
    {
        ir::List order;
        for (std::size_t d = 0; d < rank; ++d)
            order.items.emplace_back(static_cast<std::int64_t>(d == a ? b : d == b ? a : d));
        return last("permute", "", {{"self", argument("self")}, {"dims", std::move(order)}});
    }

    Answer transpose()
    {
        const auto x = tensor(argument("self"));
        const Operand first = argument("dim0"), second = argument("dim1");
        const auto *a = first.as<std::int64_t>();
        const auto *b = second.as<std::int64_t>();
        const std::size_t rank = x ? x->shape->size() : 0;
        const auto i = a ? ops::dimension(*a, rank) : std::nullopt, j = b ? ops::dimension(*b, rank) : std::nullopt;
        return i && j ? permuted(*i, *j, rank) : std::nullopt;
    }

    Answer transposeLast()
    {
        const auto x = tensor(argument("self"));
        const std::size_t rank = x ? x->shape->size() : 0;
        return rank >= 2 ? permuted(rank - 2, rank - 1, rank) : std::nullopt;
    }

    // ---- products

    Answer matmul()
    {
        const auto a = tensor(argument("self")), b = tensor(argument("other"));
        if (!a || !b || a->shape->size() != b->shape->size())
            return std::nullopt;
        if (a->shape->size() == 2)
            return last("mm", "", {{"self", argument("self")}, {"mat2", argument("other")}});
        if (a->shape->size() != 3 || !ops::isSame(a->shape->front(), b->shape->front()))
            return std::nullopt;
        return last("bmm", "", {{"self", argument("self")}, {"mat2", argument("other")}});
    }

    /// Of matrices; more dimensions are made one where their sizes are known.
    Answer linear()
    {
        const auto x = tensor(argument("input")), weight = tensor(argument("weight"));
        if (!x || !weight || weight->shape->size() != 2 || x->shape->empty())
            return std::nullopt;
        const bool isMatrix = x->shape->size() == 2;
        const auto result = tensor(output());
        const auto shape = result ? sizes(*result->shape) : std::nullopt;
        if (!isMatrix && (!shape || !sizes(*x->shape)))
            return std::nullopt;
        const ir::Dim rows = ops::product(std::span(*x->shape).first(x->shape->size() - 1));
        const ir::Dim inner = (*weight->shape)[1], columns = weight->shape->front();
        const Operand flat = isMatrix
            ? argument("input")
            : Operand(make("view", "",
                           {{"self", viewable(argument("input"), {rows, inner})}, {"size", *sizes({rows, inner})}},
                           typeOf(*x->dtype, {rows, inner})));
        const Operand turned =
            make("permute", "", {{"self", argument("weight")}, {"dims", *sizes({std::int64_t{1}, std::int64_t{0}})}},
                 typeOf(*weight->dtype, {inner, columns}));
        return isMatrix
            ? product(flat, turned)
            : last("view", "",
                   {{"self", *productOf(flat, turned, typeOf(*x->dtype, {rows, columns}))}, {"size", *shape}});
    }

    Answer product(const Operand &a, const Operand &b)
    {
        const Operand bias = argument("bias");
        return bias.as<ir::None>() ? last("mm", "", {{"self", a}, {"mat2", b}})
                                   : last("addmm", "", {{"self", bias}, {"mat1", a}, {"mat2", b}});
    }

    Answer productOf(const Operand &a, const Operand &b, ir::TypeId type)
    {
        const Operand bias = argument("bias");
        return bias.as<ir::None>() ? make("mm", "", {{"self", a}, {"mat2", b}}, type)
                                   : make("addmm", "", {{"self", bias}, {"mat1", a}, {"mat2", b}}, type);
    }

    // ---- convolutions and normalization

    /// One number per dimension, where the schema lets one stand for all.
    Operand perDimension(std::string_view name, std::size_t count, std::int64_t defaultValue)
    {
        Operand given = argument(name, defaultValue);
        const auto *list = given.as<ir::List>();
        if (list && list->items.size() == 1)
            given = Operand(list->items.front());
        return given.as<std::int64_t>() ? Operand(ir::List{std::vector<Operand>(count, given)}) : given;
    }

    Answer convolution()
    {
        const auto given = ops::convolutionArguments(m_rewriter.call(*m_node));
        const auto weight = tensor(argument("weight")), x = tensor(argument("input"));
        if (!given || !given->transposed || !weight || weight->shape->size() < 3
            || argument("padding").as<ir::String>())
            return std::nullopt;
        if (!x || x->shape->size() != weight->shape->size()) // one image without a batch
            return std::nullopt;
        if (weight->dtype && ir::isComplex(*weight->dtype)) // torch has no kernel of it but makes real ones
            return std::nullopt;
        const std::size_t spatial = weight->shape->size() - 2;
        return last("convolution", "",
                    {{"input", argument("input")},
                     {"weight", argument("weight")},
                     {"bias", argument("bias")},
                     {"stride", perDimension("stride", spatial, 1)},
                     {"padding", perDimension("padding", spatial, 0)},
                     {"dilation", perDimension("dilation", spatial, 1)},
                     {"transposed", *given->transposed},
                     {"output_padding", perDimension("output_padding", spatial, 0)},
                     {"groups", argument("groups", std::int64_t{1})}});
    }

    Answer batchNorm()
    {
        const auto result = tensor(output());
        if (ops::normalizationArguments(m_rewriter.call(*m_node)).useInputStats != false || !result
            || argument("running_mean").as<ir::None>() || argument("running_var").as<ir::None>())
            return std::nullopt;
        const ValueId first = last("_native_batch_norm_legit_no_training", "",
                                   {{"input", argument("input")},
                                    {"weight", argument("weight")},
                                    {"bias", argument("bias")},
                                    {"running_mean", argument("running_mean")},
                                    {"running_var", argument("running_var")},
                                    {"momentum", argument("momentum")},
                                    {"eps", argument("eps")}});
        addOthers(first, {typeOf(*result->dtype, {std::int64_t{0}}), typeOf(*result->dtype, {std::int64_t{0}})});
        return first;
    }

    Answer layerNorm()
    {
        const auto x = tensor(argument("input"));
        const auto axis =
            x ? ops::normalizationArguments(m_rewriter.call(*m_node)).axisOf(x->shape->size()) : std::nullopt;
        if (!axis)
            return std::nullopt;
        const ValueId first = last("native_layer_norm", "",
                                   {{"input", argument("input")},
                                    {"normalized_shape", argument("normalized_shape")},
                                    {"weight", argument("weight")},
                                    {"bias", argument("bias")},
                                    {"eps", argument("eps", 1e-5)}});
        ir::Shape moments = *x->shape;
        std::fill(moments.begin() + static_cast<std::ptrdiff_t>(*axis), moments.end(), ir::Dim(std::int64_t{1}));
        addOthers(first, {typeOf(*x->dtype, moments), typeOf(*x->dtype, moments)});
        return first;
    }

    void addOthers(ValueId first, std::initializer_list<ir::TypeId> types)
    {
        const NodeRef made = *ir::ValueRef(m_rewriter.graph(), first).producer();
        for (const ir::TypeId type : types)
            m_rewriter.addOutput(made, type);
    }

    Answer softmax()
    {
        if (ops::softmaxArguments(m_rewriter.call(*m_node)).dtype || argument("dim").as<ir::None>())
            return std::nullopt;
        const bool isLog = m_rewriter.kind(*m_node) == ops::kind::logSoftmax;
        return last(isLog ? "_log_softmax" : "_softmax", "",
                    {{"self", argument("self")}, {"dim", argument("dim")}, {"half_to_float", false}});
    }

    Rewriter &m_rewriter;
    Layouts m_layouts;
    std::optional<NodeRef> m_node;                  ///< that is taken apart
    std::unordered_map<ValueId, ops::Fact> m_facts; ///< of what took the place of something, which types do not tell
};

const std::array<Decomposition::Rule, 23> Decomposition::rules{{
    {"silu", &Decomposition::silu},
    {"square", &Decomposition::square},
    {"relu6", &Decomposition::relu6},
    {"hardtanh", &Decomposition::hardTanh},
    {"addcmul", &Decomposition::addcmul},
    {"reshape", &Decomposition::reshape},
    {"flatten", &Decomposition::reshape},
    {"unflatten", &Decomposition::reshape},
    {"transpose", &Decomposition::transpose},
    {"t", &Decomposition::transposeLast},
    {"mT", &Decomposition::transposeLast},
    {"matmul", &Decomposition::matmul},
    {"linear", &Decomposition::linear},
    {"conv1d", &Decomposition::convolution},
    {"conv2d", &Decomposition::convolution},
    {"conv3d", &Decomposition::convolution},
    {"conv_transpose1d", &Decomposition::convolution},
    {"conv_transpose2d", &Decomposition::convolution},
    {"conv_transpose3d", &Decomposition::convolution},
    {"batch_norm", &Decomposition::batchNorm},
    {"layer_norm", &Decomposition::layerNorm},
    {"softmax", &Decomposition::softmax},
    {"log_softmax", &Decomposition::softmax},
}};

Result<void> runDecomposeToCoreAten(Rewriter &rewriter, const Settings &)
{
    Decomposition(rewriter).run();
    return {};
}

} // namespace

extern const Pass decomposeToCoreAten;
const Pass decomposeToCoreAten{"decompose-to-core-aten",
                               "Decomposes composite ATen operators into core ATen; results change within rounding.",
                               {},
                               runDecomposeToCoreAten,
                               false};

} // namespace cutaway::passes
