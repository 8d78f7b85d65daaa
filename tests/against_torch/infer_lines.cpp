// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Infers graphs that stand in the lines of its input: "s3=3,s5=5<tab>(%x: float32[s3]) { ... return %r }". Each gives a
// line of JSON: what the graph returns with the symbols bound after it was inferred, and where nothing was known.
#include "core/analysis/shapes.h"
#include "core/base/json_writer.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"

#include <charconv>
#include <iostream>

namespace {

using namespace cutaway;

symbolic::Bindings bindingsIn(std::string_view text)
{
    symbolic::Bindings bindings;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        const std::size_t equals = part.find('=');
        std::from_chars(part.data() + equals + 1, part.data() + part.size(),
                        bindings[std::string(part.substr(0, equals))]);
        text.remove_prefix(std::min(part.size() + 1, text.size()));
    }
    return bindings;
}

/// Results as JSON: {"dtype", "shape"}, lists of them, or texts; what is not known is null.
class ResultWriter {
public:
    explicit ResultWriter(symbolic::Bindings bindings) : m_bindings(std::move(bindings)) { }

    void write(const ops::Fact &fact)
    {
        if (const auto *tensor = fact.as<ops::TensorFact>())
            write(*tensor);
        else if (const auto *list = fact.as<ops::SequenceFact>())
            write(*list);
        else if (fact.as<ops::AnyFact>())
            json.null();
        else
            json.value(ops::print(fact));
    }

    void writeList(std::span<const ops::Fact> facts)
    {
        json.beginArray();
        for (const ops::Fact &fact : facts)
            write(fact);
        json.endArray();
    }

    JsonWriter json;

private:
    void write(const ops::TensorFact &tensor)
    {
        json.beginObject();
        json.key("dtype");
        tensor.dtype ? json.value(ir::name(*tensor.dtype)) : json.null();
        json.key("shape");
        if (tensor.shape) {
            json.beginArray();
            for (const ir::Dim &dim : *tensor.shape)
                write(dim);
            json.endArray();
        } else {
            json.null();
        }
        json.endObject();
    }

    void write(const ops::SequenceFact &list)
    {
        const auto length = sizeOf(list.length());
        if (const auto *items = list.items())
            writeList(*items);
        else if (length && *length <= maxListLength)
            writeList(std::vector<ops::Fact>(static_cast<std::size_t>(*length), list.each().front()));
        else
            json.null();
    }

    std::optional<std::int64_t> sizeOf(const ir::Dim &dim) const
    {
        if (const auto *expr = std::get_if<symbolic::Expr>(&dim)) {
            const auto bound = symbolic::substitute(*expr, m_bindings);
            return bound && bound->kind() == symbolic::Kind::Integer ? std::optional(bound->integerValue())
                                                                     : std::nullopt;
        }
        const auto *size = std::get_if<std::int64_t>(&dim);
        return size ? std::optional(*size) : std::nullopt;
    }

    void write(const ir::Dim &dim)
    {
        const auto size = sizeOf(dim);
        size ? json.value(*size) : json.null();
    }

    static constexpr std::int64_t maxListLength = 1000;

    symbolic::Bindings m_bindings;
};

void answer(std::string_view line, std::ostream &out)
{
    const std::size_t tab = line.find('\t');
    const auto model = ir::parseText("model \"m\"\ngraph @forward" + std::string(line.substr(tab + 1)) + "\n");
    if (!model) {
        std::cerr << model.error().text() << ": " << line << "\n";
        std::exit(1);
    }
    const analysis::Shapes shapes = analysis::inferShapes(*model, ir::FunctionId{0});
    std::vector<ops::Fact> results;
    for (const ir::Operand &output : model->functions[0].graph.at(ir::Graph::body).outputs)
        results.push_back(shapes.of(*output.as<ir::ValueId>()));
    ResultWriter writer(bindingsIn(line.substr(0, tab)));
    writer.json.beginObject();
    writer.json.key("results");
    writer.writeList(results);
    writer.json.member("stop", shapes.stops.empty() ? std::string() : shapes.stops.front().reason);
    writer.json.member("contradiction", !shapes.stops.empty() && shapes.stops.front().isContradiction);
    writer.json.endObject();
    out << writer.json.text() << "\n";
}

} // namespace

int main()
{
    for (std::string line; std::getline(std::cin, line);)
        answer(line, std::cout);
    return 0;
}
