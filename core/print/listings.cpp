// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/listings.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/objects/methods.h"
#include "core/ir/tensors/sizes.h"
#include "core/print/python_operands.h"
#include "core/print/text_table.h"
#include "core/print/torch/packing.h"

#include <algorithm>
#include <ranges>

namespace cutaway::print {

namespace {

constexpr std::size_t anyWidth = std::string::npos;
constexpr TextTable::Column wideColumn{TextTable::Align::Left, anyWidth};

// ---- the signature

std::string_view kindName(ir::FunctionInput::Kind kind)
{
    using Kind = ir::FunctionInput::Kind;
    switch (kind) {
    case Kind::User:
    case Kind::ConstantInput:
        return "USER_INPUT";
    case Kind::Parameter:
        return "PARAMETER";
    case Kind::Buffer:
        return "BUFFER";
    case Kind::Constant:
        return "CONSTANT_TENSOR";
    case Kind::CustomObject:
        return "CUSTOM_OBJ";
    case Kind::Overridable:
        return "OVERRIDABLE";
    case Kind::Token:
        break;
    }
    return "TOKEN";
}

std::string_view kindName(ir::FunctionOutput::Kind kind)
{
    using Kind = ir::FunctionOutput::Kind;
    switch (kind) {
    case Kind::User:
        return "USER_OUTPUT";
    case Kind::Loss:
        return "LOSS_OUTPUT";
    case Kind::BufferMutation:
        return "BUFFER_MUTATION";
    case Kind::ParameterMutation:
        return "PARAMETER_MUTATION";
    case Kind::UserInputMutation:
        return "USER_INPUT_MUTATION";
    case Kind::GradientToParameter:
        return "GRADIENT_TO_PARAMETER";
    case Kind::GradientToUserInput:
        return "GRADIENT_TO_USER_INPUT";
    case Kind::Token:
        break;
    }
    return "TOKEN";
}

/// Returns the text of an input's target, with "persistent=False" for a buffer that is not part of the state dict; ""
/// if the input has no target.
std::string targetText(const ir::Model &model, const ir::FunctionInput &input)
{
    const std::string_view target = model.context->text(input.target);
    const bool isTransient =
        input.kind == ir::FunctionInput::Kind::Buffer && input.tensor && !model.at(*input.tensor).persistent;
    return target.empty() ? "" : formatted("target='{}'{}", target, isTransient ? " persistent=False" : "");
}

/// Returns the type of a value. For a constant, which a program takes or returns unchanged, returns its text.
std::string typeText(const ir::Model &model, const ir::Graph &graph, const ir::Operand &operand)
{
    if (const auto value = ir::valueOf(graph, &operand))
        return graph.context().print((*value)->type);
    return "value=" + constantText(model, operand);
}

/// Returns the modules whose calling convention the program keeps, so that they can be unflattened again.
TextTable moduleCalls(const ir::Model &model)
{
    constexpr std::string_view inputsOf = "in_spec of ";
    TextTable table({wideColumn, wideColumn, wideColumn}, TextTable::Lines::Whole);
    for (const auto &[key, value] : model.metadata) {
        if (!key.starts_with(inputsOf))
            continue;
        const std::string path = key.substr(inputsOf.size());
        const auto text = [&](const std::string &entry) {
            const auto packing = recordedPacking(model, entry);
            return packing ? packingText(*packing) : std::string("?");
        };
        table.addRow({sanitized(path), "in_spec=" + text(key), "out_spec=" + text("out_spec of " + path)});
    }
    return table;
}

/// Returns the table's rows after a heading; "" if there are no rows.
std::string part(std::string_view heading, const TextTable &table)
{
    return table.empty() ? std::string() : formatted("# {}\n{}", heading, table.print(0));
}

// ---- the state dict

void addState(std::string name, const ir::Tensor &tensor, TextTable &table)
{
    const auto bytes = ir::byteSize(tensor);
    table.addRow({std::move(name), std::string(ir::name(tensor.dtype)), ir::printSizes(tensor.shape),
                  bytes ? std::to_string(*bytes) : "?"});
}

bool isState(const ir::Tensor &tensor)
{
    return tensor.kind == ir::Tensor::Kind::Parameter || (tensor.kind == ir::Tensor::Kind::Buffer && tensor.persistent);
}

/// Adds a module's tensors, its attributes that are tensors of other modules, and then the tensors of its children.
void addStates(const ir::Model &model, ir::ModuleId id, TextTable &table)
{
    const ir::Module &module = model.at(id);
    for (const ir::TensorId tensor : module.tensors)
        if (isState(model.at(tensor)))
            addState(std::string(model.context->text(model.at(tensor).name)), model.at(tensor), table);
    const std::string_view path = model.context->text(module.path);
    for (const ir::ModuleAttribute &attribute : module.attributes)
        if (const auto *tensor = attribute.value.as<ir::TensorId>(); tensor && isState(model.at(*tensor)))
            addState(formatted("{}{}{}", path, path.empty() ? "" : ".", model.context->text(attribute.name)),
                     model.at(*tensor), table);
    for (const ir::ModuleId child : module.children)
        addStates(model, child, table);
}

// ---- source code

constexpr std::string_view sourceFolder = "code/", sourceSuffix = ".py";

/// Whether an attachment is source code: a TorchScript archive has it in one folder, and a torch.fx.GraphModule as its
/// only file.
bool isSource(const ir::Attachment &attachment)
{
    return attachment.text && attachment.name.ends_with(sourceSuffix)
        && (attachment.name.starts_with(sourceFolder) || !attachment.name.contains('/'));
}

/// Returns the source file of the module "__torch__.a.b": "code/__torch__/a/b.py".
const std::string *sourceOf(const ir::Model &model, std::string_view module)
{
    std::string name(module);
    std::ranges::replace(name, '.', '/');
    name = formatted("{}{}{}", sourceFolder, name, sourceSuffix);
    const auto found = std::ranges::find(model.attachments, name, &ir::Attachment::name);
    return found != model.attachments.end() && found->text ? &*found->text : nullptr;
}

/// Returns the lines from the one that begins with `start` up to the next line that is not indented deeper.
std::string blockOf(std::string_view source, std::string_view start)
{
    const std::size_t depth = start.find_first_not_of(' ');
    std::string block;
    for (const auto each : source | std::views::split('\n')) {
        const std::string_view line(each);
        const bool isDeeper =
            line.find_first_not_of(' ') == std::string_view::npos || line.find_first_not_of(' ') > depth;
        if (block.empty() ? !line.starts_with(start) : !isDeeper) {
            if (block.empty())
                continue;
            break;
        }
        block.append(line).append("\n");
    }
    block.erase(block.find_last_not_of('\n') + 1);
    return block.empty() ? block : block + "\n";
}

/// Returns the function that a file of code defines outside of classes.
std::string looseFunctionText(const ir::Model &model, std::string_view name)
{
    for (const ir::Attachment &attachment : model.attachments)
        if (isSource(attachment))
            if (std::string text = blockOf(*attachment.text, formatted("def {}(", name)); !text.empty())
                return text;
    return {};
}

/// Returns the code of a function such as "__torch__.a.C.forward", whose name consists of the module of the file, the
/// class and the function.
std::string functionText(const ir::Model &model, std::string_view qualified)
{
    if (!qualified.contains('.'))
        return looseFunctionText(model, qualified);
    const std::size_t dot = std::min(qualified.rfind('.'), qualified.size());
    const std::string_view owner = qualified.substr(0, dot),
                           name = qualified.substr(std::min(dot + 1, qualified.size()));
    if (const std::string *source = sourceOf(model, owner))
        if (std::string text = blockOf(*source, formatted("def {}(", name)); !text.empty())
            return text;
    const std::size_t last = owner.rfind('.');
    const std::string *source = last == std::string_view::npos ? nullptr : sourceOf(model, owner.substr(0, last));
    return source
        ? blockOf(blockOf(*source, formatted("class {}(", owner.substr(last + 1))), formatted("  def {}(", name))
        : std::string();
}

/// Returns the qualified name of a function in the source. A function without a class is the root's method of that
/// name, with its calls inlined.
std::string qualifiedName(const ir::Model &model, const ir::Function &function)
{
    std::string name(model.context->text(function.name));
    if (name.contains('.') || model.modules.empty())
        return name;
    const std::string_view root = model.context->text(model.at(ir::ModuleId{0}).className);
    const ir::Function *method = ir::onlyMethodOf(model, formatted("{}.{}", root, name));
    return method ? std::string(model.context->text(method->name)) : name;
}

} // namespace

std::string constantText(const ir::Model &model, const ir::Operand &constant)
{
    const auto noName = [](auto) { return std::string(); };
    return PythonOperands(model, noName, noName).print(constant);
}

std::string signatureListing(const ir::Model &model, ir::FunctionId id)
{
    const ir::Function &function = model.at(id);
    constexpr auto whole = TextTable::Lines::Whole;
    TextTable inputs({{}, {}, wideColumn, wideColumn}, whole), outputs({{}, {}, wideColumn, wideColumn}, whole);
    for (const ir::FunctionInput &input : function.inputs)
        inputs.addRow({std::string(model.context->text(input.name)), std::string(kindName(input.kind)),
                       targetText(model, input), typeText(model, function.graph, input.value)});
    for (const ir::FunctionOutput &output : function.outputs) {
        const std::string_view target = model.context->text(output.target);
        outputs.addRow({std::string(model.context->text(output.name)), std::string(kindName(output.kind)),
                        target.empty() ? "" : formatted("target='{}'", target),
                        typeText(model, function.graph, output.value)});
    }
    std::string all;
    for (const std::string &each :
         {part("inputs", inputs), part("outputs", outputs), part("module calls", moduleCalls(model))})
        if (!each.empty())
            all += (all.empty() ? "" : "\n") + each;
    return all;
}

std::string stateListing(const ir::Model &model)
{
    TextTable table({wideColumn, {}, {}, {TextTable::Align::Right}}, TextTable::Lines::Whole);
    if (!model.modules.empty())
        addStates(model, ir::ModuleId{0}, table);
    if (table.empty())
        for (const ir::Tensor &tensor : model.tensors)
            addState(std::string(model.context->text(tensor.name)), tensor, table);
    return table.print(0);
}

namespace {

std::string sizeOf(const ir::Attachment &attachment)
{
    return attachment.range ? std::to_string(attachment.range->length)
        : attachment.text   ? std::to_string(attachment.text->size())
                            : "?";
}

} // namespace

std::string fileListing(const ir::Model &model)
{
    TextTable table({wideColumn, {TextTable::Align::Right}}, TextTable::Lines::Whole);
    for (const ir::Attachment &attachment : model.attachments)
        table.addRow({attachment.name, sizeOf(attachment)});
    return table.print(0);
}

std::string otherFiles(const ir::Model &model, std::size_t indent)
{
    TextTable table({wideColumn, {TextTable::Align::Right}, {}});
    for (const ir::Attachment &attachment : model.attachments)
        if (!isSource(attachment))
            table.addRow({sanitized(attachment.name), sizeOf(attachment), "B"});
    return table.print(indent);
}

std::vector<std::string> codeFiles(const ir::Model &model)
{
    std::vector<std::string> names;
    for (const ir::Attachment &attachment : model.attachments)
        if (isSource(attachment) && !attachment.text->empty())
            names.push_back(attachment.name);
    return names;
}

Result<std::string> sourceText(const ir::Model &model)
{
    std::string all;
    for (const ir::Attachment &attachment : model.attachments)
        if (isSource(attachment) && !attachment.text->empty())
            all += formatted("{}# {}\n{}", all.empty() ? "" : "\n", attachment.name, *attachment.text);
    return all.empty() ? usageError("the file has no source code of its own") : Result<std::string>(std::move(all));
}

Result<std::string> sourceText(const ir::Model &model, ir::FunctionId function)
{
    const std::string name = qualifiedName(model, model.at(function));
    std::string text = functionText(model, name);
    return text.empty() ? usageError(formatted("the file has no source code of '{}'", name))
                        : Result<std::string>(std::move(text));
}

} // namespace cutaway::print
