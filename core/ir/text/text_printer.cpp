// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/text.h"

#include "core/base/text.h"
#include "core/ir/text/function_printer.h"
#include "core/ir/text/placed_text.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"

namespace cutaway::ir {

namespace {

class TextPrinter {
public:
    explicit TextPrinter(const Model &model) : m_model(model), m_context(*model.context), m_operands(m_out, model) { }

    std::string printForReading()
    {
        printOrigin(TextForm::Reading);
        printAllFunctions(TextForm::Reading);
        return std::move(m_out);
    }

    std::string printAll()
    {
        printOrigin(TextForm::Complete);
        printDetails();
        for (std::uint32_t i = 0; i < m_model.storages.size(); ++i)
            printStorage(i);
        for (std::uint32_t i = 0; i < m_model.tensors.size(); ++i)
            printTensor(i);
        for (std::uint32_t i = 0; i < m_model.modules.size(); ++i)
            printModule(i);
        printNotes();
        printAllFunctions(TextForm::Complete);
        return std::move(m_out);
    }

private:
    std::string text(NameId id) const { return quote(m_context.text(id)); }

    template <class... Pieces>
    void put(const Pieces &...pieces)
    {
        (m_out.append(pieces), ...);
    }

    void putIf(bool wanted, std::string_view before, std::string_view what)
    {
        if (wanted)
            put(before, what);
    }

    void printAllFunctions(TextForm form)
    {
        std::vector<FunctionId> functions;
        for (std::uint32_t i = 0; i < m_model.functions.size(); ++i)
            functions.push_back({i});
        printFunctions(m_out, m_model, functions, form);
    }

    // ---- the model

    /// Prints the model's name, format and producer. The path is omitted for display: a person knows the file, and
    /// git compares copies under names that it makes up.
    void printOrigin(TextForm form)
    {
        const auto line = [&](std::string_view word, std::string_view value) {
            if (!value.empty())
                put(word, " ", quote(value), "\n");
        };
        line("model", m_model.name);
        line("path", form == TextForm::Complete ? std::string_view(m_model.path) : "");
        const auto pair = [&](std::string_view word, std::string_view value, std::string_view version) {
            if (!value.empty() || !version.empty())
                put(word, " ", quote(value), version.empty() ? "" : " " + quote(version), "\n");
        };
        pair("format", m_model.format, m_model.formatVersion);
        pair("producer", m_model.producer, m_model.producerVersion);
        line("documentation", m_model.documentation);
        for (const auto &[domain, version] : m_model.opsets)
            put("opset ", quote(domain), " ", std::to_string(version), "\n");
        for (const Symbol &symbol : m_model.symbols)
            printSymbol(symbol);
    }

    void printDetails()
    {
        for (const auto &[key, value] : m_model.metadata)
            put("metadata ", quote(key), " ", quote(value), "\n");
        for (const DataFile &file : m_model.files)
            put("file ", quote(file.path.string()), "\n");
    }

    void printSymbol(const Symbol &symbol)
    {
        const auto bound = [](const std::optional<std::int64_t> &n) { return n ? std::to_string(*n) : "*"; };
        put("symbol ");
        appendName(m_out, symbol.name);
        if (symbol.min || symbol.max)
            put(" [", bound(symbol.min), ", ", bound(symbol.max), "]");
        if (symbol.hint)
            put(" hint ", std::to_string(*symbol.hint));
        put("\n");
    }

    void printRange(const FileRange &range)
    {
        put(" in file ", std::to_string(range.file.index), " at ", std::to_string(range.offset), " length ",
            std::to_string(range.length));
        putIf(range.encoding != FileRange::Encoding::LittleEndian, " ", nameOf(encodings, range.encoding));
    }

    void printStorage(std::uint32_t index)
    {
        const Storage &storage = m_model.storages[index];
        put("storage ", std::to_string(index), ": ", std::to_string(storage.byteLength), " bytes");
        if (const auto *range = std::get_if<FileRange>(&storage.data)) {
            printRange(*range);
        } else if (const auto *bytes = std::get_if<InlineBytes>(&storage.data)) {
            const auto *data = reinterpret_cast<const char *>(bytes->bytes->data());
            put(" data ", quote({data, bytes->bytes->size()}));
        } else if (const auto *strings = std::get_if<InlineStrings>(&storage.data)) {
            put(" strings [");
            for (std::size_t i = 0; i < strings->strings.size(); ++i)
                put(i == 0 ? "" : ", ", quote(strings->strings[i]));
            put("]");
        } else {
            put(" missing ", quote(std::get<NoBytes>(storage.data).reason));
        }
        put("\n");
    }

    void printIntegers(const std::vector<std::int64_t> &integers)
    {
        put("[");
        for (std::size_t i = 0; i < integers.size(); ++i)
            put(i == 0 ? "" : ", ", std::to_string(integers[i]));
        put("]");
    }

    void printTensors(std::string_view word, const std::vector<TensorId> &tensors)
    {
        if (tensors.empty())
            return;
        put(" ", word, "(");
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            put(i == 0 ? "" : ", ");
            m_operands.append(tensors[i]);
        }
        put(")");
    }

    void printTensor(std::uint32_t index)
    {
        const Tensor &tensor = m_model.tensors[index];
        put("tensor ");
        m_operands.append(TensorId{index});
        put(": ", name(tensor.dtype));
        printIntegers(tensor.shape);
        putIf(tensor.kind != Tensor::Kind::Constant, " ", nameOf(tensorKinds, tensor.kind));
        put(" in storage ", std::to_string(tensor.storage.index));
        putIf(tensor.offset != 0, " offset ", std::to_string(tensor.offset));
        if (tensor.strides) {
            put(" strides ");
            printIntegers(*tensor.strides);
        }
        putIf(tensor.requiresGrad, " grad", "");
        putIf(!tensor.persistent, " transient", "");
        putIf(tensor.layout != Layout::Strided, " layout ", name(tensor.layout));
        printTensors("parts", tensor.parts);
        put("\n");
    }

    void printModule(std::uint32_t index)
    {
        const Module &module = m_model.modules[index];
        const bool isRoot = index == 0;
        const bool plain = module.className == NameId{} && module.tensors.empty() && module.attributes.empty();
        if (isRoot && plain && module.name == NameId{} && module.path == NameId{})
            return;
        put("module ", std::to_string(index));
        if (!isRoot || module.parent.index != 0)
            put(" in ", std::to_string(module.parent.index));
        put(" ", text(module.name));
        if (module.path != module.name)
            put(" as ", text(module.path));
        if (module.className != NameId{})
            put(" class ", text(module.className));
        printTensors("tensors", module.tensors);
        if (!module.attributes.empty())
            printModuleAttributes(module);
        put("\n");
    }

    void printModuleAttributes(const Module &module)
    {
        put(" attributes(");
        for (const ModuleAttribute &attribute : module.attributes) {
            put(&attribute == module.attributes.data() ? "" : ", ");
            appendName(m_out, m_context.text(attribute.name));
            put(": ", m_context.print(attribute.type), " = ");
            m_operands.append(attribute.value);
        }
        put(")");
    }

    void printNotes()
    {
        for (std::uint32_t i = 0; i < m_model.objects.size(); ++i) {
            const Object &object = m_model.objects[i];
            put("object ");
            m_operands.append(ObjectId{i});
            put(" class ", text(object.className), " member ", quote(object.member), "\n");
        }
        for (const Attachment &attachment : m_model.attachments) {
            put("attachment ", quote(attachment.name));
            if (attachment.text)
                put(" text ", quote(*attachment.text));
            if (attachment.range)
                printRange(*attachment.range);
            put("\n");
        }
        for (const Diagnostic &diagnostic : m_model.diagnostics)
            printDiagnostic(diagnostic);
    }

    void printDiagnostic(const Diagnostic &diagnostic)
    {
        put("diagnostic ", nameOf(severities, diagnostic.severity), " ", quote(diagnostic.code), " ",
            quote(diagnostic.message));
        if (diagnostic.function) {
            put(" about ");
            m_operands.append(*diagnostic.function);
        }
        if (diagnostic.node)
            put(" #", std::to_string(diagnostic.node->index));
        put("\n");
    }

    const Model &m_model;
    const Context &m_context;
    std::string m_out;
    OperandPrinter m_operands;
};

} // namespace

std::string printText(const Model &model, TextForm form)
{
    TextPrinter printer(model);
    return form == TextForm::Complete ? printer.printAll() : printer.printForReading();
}

std::string printText(const Model &model, FunctionId function, TextForm form)
{
    std::string out;
    printFunctions(out, model, {&function, 1}, form);
    return out;
}

PlacedText placedText(const Model &model, FunctionId function, TextForm form)
{
    PlacedText placed;
    printFunctions(placed.text, model, {&function, 1}, form, &placed.places);
    return placed;
}

} // namespace cutaway::ir
