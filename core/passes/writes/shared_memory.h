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
/// A value is a view if its operator has a known inverse (select, slice, unsqueeze, ...) or works in place, so that its
/// result is what it wrote to. The value at the end of a chain of views is the base; all views of one base are a
/// family. A family is blocked if one of its values is an input or a weight that cannot be returned, or is written to
/// inside a region, by an unknown operator, or with a conversion that is not known. Other ways to share an argument's
/// memory (reshape, a tuple, a branch) are fine as long as neither side is written to later.
class SharedMemory {
public:
    /// Looks at the nodes of the region, in order; `left` gets the writes that no operator can replace.
    SharedMemory(rewrite::Rewriter &rewriter, ir::RegionId region, LeftWrites &left);

    /// Where a value's elements lie: in another value, through `maker`; none: in itself.
    struct View {
        ir::ValueId of;
        std::optional<ir::NodeRef> maker;
        const ViewInverse *inverse = nullptr; ///< with maker
    };

    /// The values that a normalization in training writes to.
    struct Statistics {
        ir::ValueId mean, variance;
    };
    /// How an exported program says that it changes a buffer or what the user gives.
    struct Mutation {
        ir::FunctionOutput::Kind kind;
        ir::NameId target;
    };

    ir::ValueId baseOf(ir::ValueId value) const;
    /// The value that another one is a view of; nullptr for a base.
    const View *viewOf(ir::ValueId value) const;
    /// Whether the node is a write that an operator without the underscore can replace.
    bool isWrite(ir::NodeId node) const { return m_writes.contains(node); }
    /// Whether the new value of a write has to be converted to the dtype of its target.
    bool isConverted(ir::NodeId node) const { return m_conversions.contains(node); }
    /// Whether a node in place writes nothing, and gives its argument back.
    bool isAlias(ir::NodeId node) const { return m_aliases.contains(node); }
    /// The values that a normalization in training moves; nullptr for other nodes.
    const Statistics *statisticsOf(ir::NodeId node) const;
    /// Why a family stays as it is; nothing if it does not.
    std::optional<std::string_view> whyBlocked(ir::ValueId base) const;
    /// Nothing for what a caller does not get back.
    std::optional<Mutation> mutationOf(ir::ValueId base) const;
    /// The operator without the underscore, if it takes the same arguments and has one tensor as result.
    std::optional<ir::OpId> pureForm(const ir::NodeRef &node, const ops::Signature &written);
    /// The dtype of a tensor, if it is proven.
    std::optional<ir::DType> dtypeOf(ir::ValueId value);

private:
    /// From some time on, a value's memory may also be another's.
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
    std::set<ir::NodeId> m_writes;                  ///< the supported ones
    std::set<ir::NodeId> m_conversions;             ///< writes of results that have another dtype
    std::set<ir::NodeId> m_aliases;                 ///< nodes that give their argument back
    std::map<ir::NodeId, Statistics> m_statistics;  ///< by normalization
    std::map<ir::ValueId, std::size_t> m_lastWrite; ///< by base
    std::vector<Sharing> m_shared;
    std::map<ir::ValueId, std::string_view> m_blocked; ///< why; first values, later bases
};

} // namespace cutaway::passes
