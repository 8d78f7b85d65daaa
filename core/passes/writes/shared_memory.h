// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/writes/left_writes.h"
#include "core/passes/writes/view_inverses.h"
#include "core/rewrite/rewriter.h"

#include <map>
#include <set>

namespace cutaway::passes {

/// Which values of a region share memory, and which writes to it can be replaced by new values.
///
/// A value is a view if its operator has a known inverse (select, slice, unsqueeze, ...), or works in place and so
/// returns the tensor that it wrote to. The value at the end of a chain of views is the base; all views of one base are
/// a family. A family is blocked if one of its values is an input or a weight that cannot be returned, or is written to
/// inside a region, by an unknown operator, or with a conversion that is not known. Other ways to share an argument's
/// memory (reshape, a tuple, a branch) are fine as long as neither side is written to later.
class SharedMemory {
public:
    /// Examines the nodes of the region, in order. The writes that no operator can replace are added to `left`.
    SharedMemory(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left);

    /// Where a value's elements lie: in the value `of`, through the view that `maker` makes; in memory of the value's
    /// own if there is no maker.
    struct View {
        ir::ValueId of;
        std::optional<ir::NodeRef> maker;
        const ViewInverse *inverse = nullptr; ///< set together with `maker`
    };

    /// The values that a batch normalization in training writes to.
    struct Statistics {
        ir::ValueId mean, variance;
    };
    /// How an exported program declares that it changes a buffer or an input.
    struct Mutation {
        ir::FunctionOutput::Kind kind;
        ir::NameId target;
    };

    ir::ValueId baseOf(ir::ValueId value) const;
    /// Returns the view that a value is; nullptr for a base.
    const View *viewOf(ir::ValueId value) const;
    /// Whether the node is a write that an operator without the underscore can replace.
    bool isWrite(ir::NodeId node) const { return m_writes.contains(node); }
    /// Whether the new value of a write has to be converted to the dtype of its target.
    bool isConverted(ir::NodeId node) const { return m_conversions.contains(node); }
    /// Whether a node in place writes nothing, and returns its argument.
    bool isAlias(ir::NodeId node) const { return m_aliases.contains(node); }
    /// Returns the statistics that a batch normalization in training updates; nullptr for other nodes.
    const Statistics *statisticsOf(ir::NodeId node) const;
    /// Returns why a family cannot be functionalized; nothing if it can.
    std::optional<std::string_view> whyBlocked(ir::ValueId base) const;
    /// Returns the output by which an exported program would declare that it changes a base; nothing if the caller does
    /// not get the tensor back, or if the program has this output already.
    std::optional<Mutation> mutationOf(ir::ValueId base) const;
    /// Returns the operator without the underscore; nothing if it does not take the same arguments, or has other
    /// results than one tensor.
    std::optional<ir::OpId> pureForm(const ir::NodeRef &node, const ops::Signature &written);
    /// Returns the dtype of a tensor; nothing if it is not proven.
    std::optional<ir::DType> dtypeOf(ir::ValueId value);

private:
    /// Two values that share memory from a node on.
    struct Sharing {
        std::size_t time;
        ir::ValueId from, to;
    };

    void look(const ir::NodeRef &node);
    bool isParted(const ir::NodeRef &node);
    bool makesItsOwn(const ir::NodeRef &node);
    bool isUnpackedParts(const ir::NodeRef &node);
    std::optional<ir::ValueId> viewed(const ir::NodeRef &node);
    void lookAtWrite(const ir::NodeRef &node, const ops::Signature &known);
    bool isWithoutEffect(const ir::NodeRef &node);
    void lookAtAlias(const ir::NodeRef &node);
    bool updatesStatistics(const ir::NodeRef &node);
    void lookAtStatistics(const ir::NodeRef &node);
    void lookAtUnknown(const ir::NodeRef &node);
    bool isMadeIn(ir::RegionId region, const ir::NodeRef &node, std::size_t result);
    bool mayWrite(const ir::NodeRef &node);
    void share(const ir::NodeRef &node);
    bool mayHoldMemory(ir::ValueId value);
    static std::ptrdiff_t writtenCount(const ops::Schema &schema);
    bool keepsType(const ir::NodeRef &node, ir::ValueId self);
    bool canConvert(const ir::NodeRef &node, ir::ValueId self);
    bool readsOnly(const ir::NodeRef &node, ir::ValueId self);
    void blockWhatIsShared();

    rewrite::Rewriter &m_rewriter;
    const ir::RegionId m_region;
    LeftWrites &m_left;
    std::size_t m_now = 0; ///< index of the current node
    std::map<ir::ValueId, View> m_views;
    std::set<ir::NodeId> m_writes;                  ///< the writes that can be replaced
    std::set<ir::NodeId> m_conversions;             ///< writes whose new value has to be converted
    std::set<ir::NodeId> m_aliases;                 ///< nodes in place that return their argument unchanged
    std::map<ir::NodeId, Statistics> m_statistics;  ///< by batch normalization
    std::map<ir::ValueId, std::size_t> m_lastWrite; ///< by base: the index of the node that writes to it last
    std::vector<Sharing> m_shared;
    std::map<ir::ValueId, std::string_view> m_blocked; ///< the reasons; by value, after the end of the walk by base
};

} // namespace cutaway::passes
