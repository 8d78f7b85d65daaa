// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QColor>
#include <QPalette>
#include <QStaticText>
#include <map>
#include <memory>

class QPainter;

namespace cutaway::views {

class Figures;
struct OpenedTrace;

/// How the events of a trace are drawn, beside the function that figures are of. Colours are found once for each node,
/// and texts are laid out once for each name and node: a picture has thousands of events, and few names.
class EventLook {
public:
    EventLook(std::shared_ptr<const OpenedTrace> opened, std::shared_ptr<const Figures> figures, QPalette palette);

    /// The colour of its node, a paler one where it lies in the node's event.
    QColor colorOf(trace::EventIndex event) const;
    /// Whether it is linked to no node, and so hatched.
    bool isHatched(trace::EventIndex event) const;
    bool hasNode(trace::EventIndex event) const;
    /// Writes the longest text that fits into a box, or the beginning of the name.
    void drawLabel(QPainter &painter, const QRectF &box, trace::EventIndex event);

private:
    /// A text that is laid out.
    struct Laid {
        QStaticText text;
        double width = 0;
    };
    struct Label {
        std::vector<Laid> whole;    ///< the longest first
        std::map<int, Laid> elided; ///< the beginning of the last one, by its room in pixels
    };

    Laid laid(const QPainter &painter, const QString &text) const;
    Label &labelOf(const QPainter &painter, trace::EventIndex event);
    const Laid &fitting(const QPainter &painter, trace::EventIndex event, double room);

    std::shared_ptr<const OpenedTrace> m_opened;
    std::shared_ptr<const Figures> m_figures;
    QPalette m_palette;
    std::vector<QColor> m_colors;                                      ///< by NodeId
    std::map<std::pair<trace::TextId, std::uint32_t>, Label> m_labels; ///< by name and node; none: no node
};

/// A color of which a share is left before a ground.
QColor mixed(const QColor &color, const QColor &ground, double share);

} // namespace cutaway::views
