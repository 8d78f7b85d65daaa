// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/program.h"

#include "core/base/overloaded.h"
#include "plugins/torch/arguments.h"
#include "plugins/torch/constants.h"
#include "plugins/torch/file_objects.h"
#include "plugins/torch/operators.h"
#include "plugins/torch/weights.h"

#include <ATen/Context.h>
#include <algorithm>
#include <array>
#include <map>

namespace cutaway::plugins {

namespace {

/// Operators that torch lacks, with their number of nodes.
using Missing = std::map<std::string, std::size_t>;

std::string listOf(const Missing &missing)
{
    std::string text = "torch has no operators";
    std::string_view separator = " ";
    for (const auto &[name, count] : missing) {
        text += std::string(separator) + name + (count > 1 ? " (" + std::to_string(count) + " nodes)" : "");
        separator = ", ";
    }
    const auto isOfTorch = [](const auto &each) {
        return std::ranges::any_of(std::array{"aten::", "prim::", "quantized::", "onnx::"},
                                   [&](std::string_view dialect) { return each.first.starts_with(dialect); });
    };
    return text + (std::ranges::all_of(missing, isOfTorch) ? "" : "; --library FILE loads a library of operators");
}

/// Compiles a function of the model to a routine.
class Compiler {
public:
    Compiler(const Program &program, ir::FunctionId function, Missing &missing)
        : m_program(program),
          m_graph(program.model().at(function).graph),
          m_missing(missing),
          m_routine(std::make_unique<Routine>())
    {
        m_routine->function = function;
    }

    Result<std::unique_ptr<Routine>> compile()
    {
        CUTAWAY_RETURN_IF_ERROR(setWeights());
        m_places.resize(m_graph.nodeCount());
        for (std::uint32_t i = 0; i < m_graph.regionCount(); ++i) {
            CUTAWAY_TRY(auto block, isThere(ir::RegionId{i}) ? compile(ir::RegionId{i}) : Result<Block>(Block()));
            m_routine->blocks.push_back(std::move(block));
        }
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            bury(ir::ValueId{i});
        return std::move(m_routine);
    }

private:
    struct Place {
        ir::RegionId region;
        std::size_t index = 0;
    };

    Result<void> setWeights()
    {
        m_routine->weights.resize(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const ir::ValueRef value(m_graph, {i});
            if (!value.weight() || value->uses.empty())
                continue;
            CUTAWAY_TRY(m_routine->weights[i], m_program.weights().tensor(*value.weight()));
        }
        return {};
    }

    /// Whether a region is compiled. Regions of removed nodes keep their ids, but are not compiled.
    bool isThere(ir::RegionId region) const
    {
        const auto owner = m_graph.at(region).owner;
        return !owner || (!m_graph.at(*owner).removed && isThere(m_graph.at(*owner).parent));
    }

    Result<Block> compile(ir::RegionId id)
    {
        const ir::Region &region = m_graph.at(id);
        Block block{region.inputs, {}, {}};
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id)) {
            m_places[node.id().index] = {id, block.instructions.size()};
            CUTAWAY_TRY(auto instruction, compile(node));
            block.instructions.push_back(std::move(instruction));
        }
        for (std::size_t i = 0; i < region.outputs.size(); ++i) {
            CUTAWAY_TRY(auto source, sourceOf(m_program, &m_graph, region.outputs[i], typeOfOutput(region, i), true));
            block.outputs.push_back({std::move(source), {}});
        }
        return block;
    }

    /// Returns the type of a region's output, that of the node's result, if it is a list or may be None; otherwise
    /// nullptr. The results of the node are the region's last outputs.
    c10::TypePtr typeOfOutput(const ir::Region &region, std::size_t i) const
    {
        const std::size_t results = region.owner ? m_graph.at(*region.owner).outputs.size() : 0;
        if (results > region.outputs.size() || i < region.outputs.size() - results)
            return nullptr;
        const ir::ValueId result = m_graph.at(*region.owner).outputs[i - (region.outputs.size() - results)];
        const auto type = torchType(m_graph.context(), m_graph.at(result).type);
        return type->kind() == c10::TypeKind::ListType || type->kind() == c10::TypeKind::OptionalType ? type : nullptr;
    }

    Result<Instruction> compile(const ir::NodeRef &node)
    {
        auto op = findLanguageOperator(node);
        if (!op)
            op = findTorchOperator(node);
        if (!op)
            op = findExportedOperator(node);
        if (!op) {
            ++m_missing[node.fullName()];
            return Instruction{.node = node};
        }
        Instruction instruction{.node = node, .action = std::move(op->action), .isControl = op->isControl};
        instruction.results.assign(node->outputs.begin(), node->outputs.end());
        instruction.isUnpacked = isUnpacked(node, op->schema);
        auto arguments = op->schema ? bySchema(node, *op->schema) : asTheyStand(node);
        if (!arguments)
            return std::unexpected(Error{arguments.error().kind, arguments.error().message, node.fullName()});
        instruction.arguments = std::move(*arguments);
        return instruction;
    }

    /// Whether the items of the list that an operator returns are results of the node, as in exported programs.
    static bool isUnpacked(const ir::NodeRef &node, const c10::FunctionSchema *schema)
    {
        if (!schema || schema->returns().size() != 1 || schema->returns()[0].type()->kind() != c10::TypeKind::ListType)
            return false;
        return node.outputCount() != 1 || node.output(0).tensorType() != nullptr;
    }

    Result<Argument> argument(const ir::Operand &operand, Wanted wanted, bool isFresh)
    {
        CUTAWAY_TRY(auto source, sourceOf(m_program, &m_graph, operand, wanted.type, isFresh));
        if (auto *constant = std::get_if<c10::IValue>(&source))
            *constant = constantAs(std::move(*constant), wanted);
        return Argument{std::move(source), std::move(wanted)};
    }
    static c10::IValue constantAs(c10::IValue constant, const Wanted &wanted)
    {
        const Routine none{};
        return valueOf({std::move(constant), wanted}, Frame{none, {}});
    }

    Result<std::vector<Argument>> asTheyStand(const ir::NodeRef &node)
    {
        std::vector<Argument> arguments;
        for (const ir::Argument &each : node->arguments) {
            CUTAWAY_TRY(auto made, argument(each.value, {}, true));
            arguments.push_back(std::move(made));
        }
        return arguments;
    }

    Result<std::vector<Argument>> bySchema(const ir::NodeRef &node, const c10::FunctionSchema &schema)
    {
        std::vector<Argument> arguments;
        std::size_t place = 0;
        for (const c10::Argument &each : schema.arguments()) {
            const auto given = argumentFor(node, each.name(), place);
            const ir::Operand *operand = given ? &node->arguments[*given].value : nullptr;
            if (!operand && !each.default_value())
                return std::unexpected(Error{ErrorKind::Backend, "it has no argument '" + each.name() + "'", {}});
            CUTAWAY_TRY(auto made,
                        operand ? argument(*operand, {each.type(), each.N()}, each.alias_info() != nullptr)
                                : Result<Argument>(Argument{*each.default_value(), {}}));
            arguments.push_back(std::move(made));
        }
        return schema.is_vararg() ? withOthers(node, std::move(arguments), place) : std::move(arguments);
    }

    /// Returns the arguments of a variadic operator: those of the schema, all others, and the total number.
    Result<std::vector<Argument>> withOthers(const ir::NodeRef &node, std::vector<Argument> arguments,
                                             std::size_t place)
    {
        for (; place < node->arguments.size(); ++place) {
            if (node->arguments[place].name != ir::NameId{})
                continue;
            CUTAWAY_TRY(auto made, argument(node->arguments[place].value, {}, true));
            arguments.push_back(std::move(made));
        }
        const auto count = static_cast<std::int64_t>(arguments.size());
        arguments.push_back({c10::IValue(count), {}});
        return arguments;
    }

    /// Returns the region that defines a value, if one does.
    std::optional<ir::RegionId> homeOf(ir::ValueId id) const
    {
        return std::visit(Overloaded{
                              [&](const ir::NodeResult &result) -> std::optional<ir::RegionId> {
                                  return m_graph.at(result.node).removed
                                      ? std::nullopt
                                      : std::optional(m_graph.at(result.node).parent);
                              },
                              [](const ir::RegionInput &input) -> std::optional<ir::RegionId> { return input.region; },
                              [](const auto &) -> std::optional<ir::RegionId> { return std::nullopt; },
                          },
                          m_graph.at(id).definition);
    }

    /// Returns the index of the region's node that contains a use; nothing for the region's own outputs.
    std::optional<std::size_t> placeIn(ir::RegionId home, const ir::Use &use) const
    {
        std::optional<ir::NodeId> node;
        if (const auto *region = std::get_if<ir::RegionId>(&use)) {
            if (*region == home)
                return std::nullopt;
            node = m_graph.at(*region).owner;
        } else {
            node = std::get<ir::NodeId>(use);
        }
        while (node && m_graph.at(*node).parent != home)
            node = m_graph.at(m_graph.at(*node).parent).owner;
        return node ? std::optional(m_places[node->index].index) : std::nullopt;
    }

    /// Frees a value after the last node of its region that reads it.
    void bury(ir::ValueId id)
    {
        const auto home = homeOf(id);
        if (!home)
            return;
        const ir::ValueRef value(m_graph, id);
        std::optional<std::size_t> last;
        if (const auto maker = value.producer())
            last = m_places[maker->id().index].index;
        for (const ir::Use &use : value->uses) {
            const auto place = placeIn(*home, use);
            if (!place)
                return;
            last = std::max(last.value_or(0), *place);
        }
        if (last)
            m_routine->blocks[home->index].instructions[*last].dead.push_back(id);
    }

    const Program &m_program;
    const ir::Graph &m_graph;
    Missing &m_missing;
    std::unique_ptr<Routine> m_routine;
    std::vector<Place> m_places; ///< by node
};

std::vector<ir::FunctionId> calledBy(const ir::Function &function)
{
    std::vector<ir::FunctionId> called;
    for (std::uint32_t i = 0; i < function.graph.nodeCount(); ++i)
        if (const ir::Node &node = function.graph.at(ir::NodeId{i}); !node.removed)
            for (const ir::Argument &argument : node.arguments)
                if (const auto *id = argument.value.as<ir::FunctionId>())
                    called.push_back(*id);
    return called;
}

} // namespace

Program::Program(ir::Model model, ir::FunctionId main, c10::Device device)
    : m_model(std::move(model)),
      m_main(main),
      m_device(device),
      m_fileObjects(std::make_unique<FileObjects>(m_model, device)),
      m_weights(std::make_unique<Weights>(m_model, *m_fileObjects, device))
{
}
Program::~Program() = default;

Result<void> Program::compileAll()
{
    m_routines.resize(m_model.functions.size());
    Missing missing;
    std::vector<ir::FunctionId> waiting{m_main};
    while (!waiting.empty()) {
        const ir::FunctionId id = waiting.back();
        waiting.pop_back();
        if (id.index >= m_routines.size() || m_routines[id.index])
            continue;
        CUTAWAY_TRY(m_routines[id.index], Compiler(*this, id, missing).compile());
        std::ranges::copy(calledBy(m_model.at(id)), std::back_inserter(waiting));
    }
    if (!missing.empty())
        return std::unexpected(Error{ErrorKind::Backend, listOf(missing), {}});
    return {};
}

Result<std::unique_ptr<Program>> Program::make(ir::Model model, ir::FunctionId main, c10::Device device)
{
    std::unique_ptr<Program> program(new Program(std::move(model), main, device));
    CUTAWAY_RETURN_IF_ERROR(program->compileAll());
    return program;
}

std::unique_ptr<Program> Program::unmade(ir::Model model, ir::FunctionId main)
{
    return std::unique_ptr<Program>(new Program(std::move(model), main, c10::Device("cpu")));
}

std::optional<ir::FunctionId> functionOf(const ir::Model &model, const std::string &name)
{
    if (name.empty() && !model.functions.empty())
        return ir::FunctionId{0};
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        if (model.context->text(model.functions[i].name) == name)
            return ir::FunctionId{i};
    return std::nullopt;
}

} // namespace cutaway::plugins
