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

/// How the events of a trace are drawn. `figures` belong to the function of their nodes. A colour is found once for
/// each node, and a text laid out once for each name and node, since thousands of events have few names.
class EventLook {
public:
    EventLook(std::shared_ptr<const OpenedTrace> opened, std::shared_ptr<const Figures> figures, QPalette palette);

    /// Returns the colour of an event's node, or a paler one if the event only lies inside the node's event.
    QColor colorOf(trace::EventIndex event) const;
    /// Whether an event is hatched: it stands for an operator whose node is unknown or was removed.
    bool isHatched(trace::EventIndex event) const;
    bool hasNode(trace::EventIndex event) const;
    /// Writes the longest text that fits into a box, or else the beginning of the event's name.
    void drawLabel(QPainter &painter, const QRectF &box, trace::EventIndex event);

private:
    /// A text with its layout.
    struct Laid {
        QStaticText text;
        double width = 0;
    };
    struct Label {
        std::vector<Laid> whole;    ///< the longest first
        std::map<int, Laid> elided; ///< by width in pixels: the beginning of the text
    };

    Laid laid(const QPainter &painter, const QString &text) const;
    Label &labelOf(const QPainter &painter, trace::EventIndex event);
    const Laid &fitting(const QPainter &painter, trace::EventIndex event, double room);

    std::shared_ptr<const OpenedTrace> m_opened;
    std::shared_ptr<const Figures> m_figures;
    QPalette m_palette;
    std::vector<QColor> m_colors;                                      ///< by NodeId
    std::map<std::pair<trace::TextId, std::uint32_t>, Label> m_labels; ///< by name and node, ~0 for no node
};

/// Returns a mixture of two colours, in which `color` has the share `share`, from 0 to 1, and `ground` the rest.
QColor mixed(const QColor &color, const QColor &ground, double share);

} // namespace cutaway::views
