// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/overlays/overlays.h"

#include "views/graph/overlays/category_legend.h"
#include "views/graph/overlays/map.h"
#include "views/session/navigation.h"

#include <QEvent>

namespace cutaway::views {
namespace {

constexpr int cornerMargin = 12;
constexpr QSize leastRoom{420, 260}; ///< a smaller canvas has no overlays

class Overlays : public QObject {
public:
    Overlays(Canvas &canvas, Navigation &navigation)
        : QObject(&canvas),
          m_canvas(canvas),
          m_navigation(navigation),
          m_legend(new CategoryLegend(canvas)),
          m_map(new Map(canvas))
    {
        canvas.installEventFilter(this);
        connect(&canvas, &Canvas::pictureChanged, this, &Overlays::place);
        connect(&canvas.sight(), &Sight::changed, this, &Overlays::place);
        connect(&canvas.highlighting(), &Highlighting::tintingChanged, this, &Overlays::place);
        connect(&navigation, &Navigation::showsMapChanged, this, &Overlays::place);
        place();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            place();
        return QObject::eventFilter(watched, event);
    }

private:
    void place()
    {
        const QSize room = m_canvas.size();
        const bool hasRoom = room.width() >= leastRoom.width() && room.height() >= leastRoom.height();
        m_map->setVisible(hasRoom && m_navigation.showsMap() && m_map->isUseful());
        if (m_map->isVisibleTo(&m_canvas)) {
            m_map->resize(m_map->sizeHint());
            m_map->move(room.width() - m_map->width() - cornerMargin, room.height() - m_map->height() - cornerMargin);
            m_map->update();
        }
        const int width =
            room.width() - 2 * cornerMargin - (m_map->isVisibleTo(&m_canvas) ? m_map->width() + cornerMargin : 0);
        m_legend->setVisible(hasRoom && m_legend->isUseful());
        if (m_legend->isVisibleTo(&m_canvas)) {
            m_legend->resize(m_legend->sizeWithin(width));
            m_legend->move(cornerMargin, room.height() - m_legend->height() - cornerMargin);
        }
    }

    Canvas &m_canvas;
    Navigation &m_navigation;
    CategoryLegend *m_legend;
    Map *m_map;
};

} // namespace

void addOverlays(Canvas &canvas, Navigation &navigation) { new Overlays(canvas, navigation); }

} // namespace cutaway::views
