// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/pt2/program_names.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace cutaway::convert {

/// A node of a program of torch.export as it is made.
struct ProgramNode {
    std::string_view dialect, name, overload = {};
    std::vector<std::pair<std::string_view, ir::Operand>> arguments = {};
};

/// The graph of a torch.export program that is being made. It knows where sizes can be read: of the tensors that have
/// them.
class ProgramGraph {
public:
    /// `model` gets the tensors that are made; it has those of the source.
    explicit ProgramGraph(ir::Model &model);

    ir::Context &context() const { return *m_model.context; }
    ir::Graph &graph() { return m_graph; }
    const ir::Graph &graph() const { return m_graph; }

    /// What is made from now on comes from this node of the source: its scope and source position.
    void from(const ir::NodeRef &source) { m_source = source; }
    ir::RegionId region() const { return m_region; }

    /// What is made of a region of the source. Sizes that are read there are not known outside of it, and those of
    /// outside are read anew: torch gives a region tensors only.
    class Inside {
    public:
        Inside(ProgramGraph &graph, ir::RegionId region);
        Inside(const Inside &) = delete;
        Inside &operator=(const Inside &) = delete;
        ~Inside();
        /// A number of outside as the region has it: taken out of the tensor that it was put into.
        ir::ValueId taken(ir::ValueId number, ir::ValueId tensor);

    private:
        ProgramGraph &m_graph;
        ir::RegionId m_around;
        std::map<std::string, ir::Operand> m_sizes;
        std::map<std::string, std::pair<ir::ValueId, std::int64_t>> m_sources;
    };

    /// A node without results.
    ir::NodeId add(const ProgramNode &node);
    ir::ValueId addResult(ir::NodeId node, const ir::Type &type, std::string_view wanted);
    /// Both, for one result.
    ir::ValueId make(const ProgramNode &node, const ir::Type &type, std::string_view wanted);
    /// A tensor of its own with the same elements.
    ir::ValueId copy(ir::ValueId tensor);
    ir::ValueId addInput(std::string_view wanted, const ir::Type &type, ir::RegionId region = ir::Graph::body);
    /// A tensor of the source; the same value each time.
    ir::ValueId weight(ir::TensorId tensor);
    /// It is an input also where nothing reads it: the program changes it.
    void keepWeight(ir::TensorId tensor);
    /// A tensor of these bytes, row by row.
    ir::ValueId constant(std::string_view wanted, ir::DType dtype, std::vector<std::int64_t> shape,
                         std::span<const std::byte> bytes);
    /// A size as an operand: a number, or read from a tensor that has it. Nothing where none has.
    std::optional<ir::Operand> size(const ir::Dim &dim);
    /// A type with the symbols as torch calls sizes; see symbols().
    ir::Type renamed(const ir::Type &type);
    /// A symbol for a number that only data decides.
    symbolic::Expr freshSymbol(std::string_view prefix);
    /// The symbols that values have in their types, by their names in the source.
    std::map<std::string, std::string> symbols() const;
    /// A symbol of this name in the source stands for what data decides.
    void addDataSize(const std::string &name) { m_prefixes.emplace(name, "u"); }

    /// Takes out nodes that nothing reads, and gives names that no other node gets when torch reads the file.
    void finish();
    /// The weights that are read, as inputs of the function.
    std::vector<ir::FunctionInput> weightInputs() const;

private:
    ir::Dim renamed(const ir::Dim &dim);
    std::string symbolNamed(const std::string &name);
    void enterType(ir::ValueId value, const ir::Type &type);
    std::optional<ir::Operand> computedSize(const symbolic::Expr &expr);
    ir::Operand arithmetic(std::string_view dialect, std::string_view function, const ir::Operand &a,
                           const ir::Operand &b, const symbolic::Expr &value);
    void removeUnread();
    void renameAmbiguous();

    ir::Model &m_model;
    ir::Graph m_graph;
    ir::RegionId m_region = ir::Graph::body;
    std::optional<ir::NodeRef> m_source;
    std::vector<ir::NodeId> m_made;
    std::map<ir::TensorId, ir::ValueId> m_weights;
    std::set<ir::TensorId> m_kept;
    bool isListed(ir::TensorId tensor, ir::ValueId value) const;
    std::map<std::string, ir::Operand> m_sizes;                            ///< by formula, in the file's symbols
    std::map<std::string, std::pair<ir::ValueId, std::int64_t>> m_sources; ///< tensors and dimensions that have them
    std::map<std::string, std::string> m_symbols;
    std::map<std::string, std::string> m_prefixes; ///< of the names that torch gives symbols, where it is not "s"
    UniqueNames m_names, m_symbolNames;
    AttributeNames m_attributes;
};

} // namespace cutaway::convert
