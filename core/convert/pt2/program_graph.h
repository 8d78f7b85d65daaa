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

/// Returns the dtype of a tensor that holds a number of this kind: float64, int64 or bool.
ir::DType dtypeOf(ir::NumberType::Kind kind);
/// Returns the type of a tensor without dimensions.
ir::TensorType scalarType(ir::DType dtype);
/// Returns a node that puts a number into a tensor of this dtype.
ProgramNode scalarTensor(const ir::Operand &number, ir::DType dtype);

/// The graph of a torch.export program that is being made. It knows from which tensors sizes can be read.
class ProgramGraph {
public:
    /// `model` has the tensors of the source; new tensors are added to it.
    explicit ProgramGraph(ir::Model &model);

    ir::Context &context() const { return *m_model.context; }
    ir::Graph &graph() { return m_graph; }
    const ir::Graph &graph() const { return m_graph; }

    /// Sets the node of the source that new nodes come from: they get its scope and source position.
    void from(const ir::NodeRef &source) { m_source = source; }
    ir::RegionId region() const { return m_region; }

    /// As long as this object lives, new nodes are added to the region. Sizes that are read in the region are not known
    /// outside of it, and sizes that are values outside are read again inside: torch gives a region tensors only.
    class Inside {
    public:
        Inside(ProgramGraph &graph, ir::RegionId region);
        Inside(const Inside &) = delete;
        Inside &operator=(const Inside &) = delete;
        ~Inside();
        /// Takes a number from outside of the region out of `tensor`, into which it was put. Returns the number as a
        /// value of the region.
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
    /// Puts a number into a tensor, and returns the tensor.
    ir::ValueId makeScalar(const ir::Operand &number, ir::DType dtype);
    /// Adds a copy of the tensor in memory of its own.
    ir::ValueId copy(ir::ValueId tensor);
    ir::ValueId addInput(std::string_view wanted, const ir::Type &type, ir::RegionId region = ir::Graph::body);
    /// Returns the value of a tensor of the source, the same one each time.
    ir::ValueId weight(ir::TensorId tensor);
    /// Keeps the tensor as an input even if nothing reads it, since the program changes it.
    void keepWeight(ir::TensorId tensor);
    /// Returns a constant tensor with these bytes, row by row.
    ir::ValueId constant(std::string_view wanted, ir::DType dtype, std::vector<std::int64_t> shape,
                         std::span<const std::byte> bytes);
    /// Returns a size as an operand: a number, or a value that new nodes read from tensors, or compute from sizes that
    /// they read. Nothing if no tensor has the sizes that are needed.
    std::optional<ir::Operand> size(const ir::Dim &dim);
    /// Returns the type with the symbols that torch uses for sizes; see symbols().
    ir::Type renamed(const ir::Type &type);
    /// Returns a new symbol for a number that depends on data.
    symbolic::Expr freshSymbol(std::string_view prefix);
    /// Returns the symbols that values have in their types, by the symbols' names in the source.
    std::map<std::string, std::string> symbols() const;
    /// Records that the symbol of this name in the source stands for a size that depends on data.
    void addDataSize(const std::string &name) { m_prefixes.emplace(name, "u"); }

    /// Removes nodes that nothing reads, and renames values so that no name is one that torch gives to another node
    /// when it reads the file.
    void finish();
    /// Returns inputs of the function for the weights that are read or kept.
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
    std::map<std::string, ir::Operand> m_sizes; ///< by formula in the file's symbols
    /// By formula: a tensor and the index of its dimension that has this size.
    std::map<std::string, std::pair<ir::ValueId, std::int64_t>> m_sources;
    std::map<std::string, std::string> m_symbols;
    std::map<std::string, std::string> m_prefixes; ///< by symbol that depends on data: the beginning of its name
    UniqueNames m_names, m_symbolNames;
    AttributeNames m_attributes;
};

} // namespace cutaway::convert
