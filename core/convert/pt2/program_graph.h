// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/pt2/program_names.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <map>
#include <set>
#include <span>

namespace cutaway::convert {

/// A new node of a torch.export program.
struct ProgramNode {
    std::string_view dialect, name, overload = {};
    std::vector<std::pair<std::string_view, ir::Operand>> arguments = {};
};

/// The dtype that torch gives a tensor of one number.
ir::DType dtypeOf(ir::NumberType::Kind kind);
/// A tensor of no dimension.
ir::TensorType scalarType(ir::DType dtype);
/// The node that puts a number into a tensor.
ProgramNode scalarTensor(const ir::Operand &number, ir::DType dtype);

/// The graph of a torch.export program that is being made. It knows which tensors sizes can be read of.
class ProgramGraph {
public:
    /// `model` has the tensors of the source and gets the new ones.
    explicit ProgramGraph(ir::Model &model);

    ir::Context &context() const { return *m_model.context; }
    ir::Graph &graph() { return m_graph; }
    const ir::Graph &graph() const { return m_graph; }

    /// Sets the node of the source that new nodes come from: they get its scope and source position.
    void from(const ir::NodeRef &source) { m_source = source; }
    ir::RegionId region() const { return m_region; }

    /// Puts new nodes into a region for as long as it lives. Sizes that are read there are not known outside of it, and
    /// sizes that are values outside are read again: torch gives a region tensors only.
    class Inside {
    public:
        Inside(ProgramGraph &graph, ir::RegionId region);
        Inside(const Inside &) = delete;
        Inside &operator=(const Inside &) = delete;
        ~Inside();
        /// Takes a number of outside out of the tensor that it was put into; returns it as a value of the region.
        ir::ValueId taken(ir::ValueId number, ir::ValueId tensor);

    private:
        ProgramGraph &m_graph;
        ir::RegionId m_around;
        std::map<std::string, ir::Operand> m_sizes;
        std::map<std::string, std::pair<ir::ValueId, std::int64_t>> m_sources;
    };

    /// Adds a node without results.
    ir::NodeId add(const ProgramNode &node);
    ir::ValueId addResult(ir::NodeId node, const ir::Type &type, std::string_view wanted);
    /// Adds a node with one result; returns the result.
    ir::ValueId make(const ProgramNode &node, const ir::Type &type, std::string_view wanted);
    /// Puts a number into a tensor; returns that.
    ir::ValueId makeScalar(const ir::Operand &number, ir::DType dtype);
    /// A copy of the tensor, in memory of its own.
    ir::ValueId copy(ir::ValueId tensor);
    ir::ValueId addInput(std::string_view wanted, const ir::Type &type, ir::RegionId region = ir::Graph::body);
    /// The value of a tensor of the source, the same each time.
    ir::ValueId weight(ir::TensorId tensor);
    /// Keeps the tensor as an input also where nothing reads it: the program changes it.
    void keepWeight(ir::TensorId tensor);
    /// A constant tensor of these bytes, row by row.
    ir::ValueId constant(std::string_view wanted, ir::DType dtype, std::vector<std::int64_t> shape,
                         std::span<const std::byte> bytes);
    /// A size as an operand: a number, or read from a tensor that has it. Nothing if no tensor has it.
    std::optional<ir::Operand> size(const ir::Dim &dim);
    /// The type with the symbols that torch uses for sizes; see symbols().
    ir::Type renamed(const ir::Type &type);
    /// A new symbol for a number that depends on data.
    symbolic::Expr freshSymbol(std::string_view prefix);
    /// The symbols that values have in their types, by their names in the source.
    std::map<std::string, std::string> symbols() const;
    /// Records that the symbol of this name in the source stands for a size that depends on data.
    void addDataSize(const std::string &name) { m_prefixes.emplace(name, "u"); }

    /// Removes nodes that nothing reads, and gives names that no other node gets when torch reads the file.
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
    bool isListed(ir::TensorId tensor, ir::ValueId value) const;
    void removeUnread();
    void renameAmbiguous();

    ir::Model &m_model;
    ir::Graph m_graph;
    ir::RegionId m_region = ir::Graph::body;
    std::optional<ir::NodeRef> m_source;
    std::vector<ir::NodeId> m_made;
    std::map<ir::TensorId, ir::ValueId> m_weights;
    std::set<ir::TensorId> m_kept;
    std::map<std::string, ir::Operand> m_sizes;                            ///< by formula, in the file's symbols
    std::map<std::string, std::pair<ir::ValueId, std::int64_t>> m_sources; ///< tensors and dimensions that have them
    std::map<std::string, std::string> m_symbols;
    std::map<std::string, std::string> m_prefixes; ///< by fresh symbol: how its name begins
    UniqueNames m_names, m_symbolNames;
    AttributeNames m_attributes;
};

} // namespace cutaway::convert
