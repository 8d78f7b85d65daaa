// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/canvas.h"

#include <QList>
#include <QObject>
#include <memory>
#include <vector>

namespace cutaway::views {

class Correspondence;

/// Keeps graphs in step: one of them leads, and the others follow its place, zoom and selection as far as they have
/// corresponding parts. The leader is the graph that the user has moved last. The canvases must outlive this object.
class InStep : public QObject {
public:
    /// `leader` is one of the canvases.
    InStep(QList<Canvas *> canvases, Canvas &leader);
    ~InStep() override;

    const QList<Canvas *> &canvases() const { return m_canvases; }
    /// Whether it is known which boxes of the two graphs correspond.
    bool isReady() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Two points of diagrams to show at the same position on the screen.
    struct Anchor {
        QPointF here, there;
    };

    void connectTo(Canvas &canvas);
    const Correspondence &between(const Canvas &a, const Canvas &b) const;
    void move(Canvas &canvas);
    void followPlace();
    void follow(Canvas &canvas) const;
    void followSelection(Canvas &from);
    std::optional<Anchor> anchorFor(const Canvas &canvas) const;
    std::optional<Anchor> anchorAt(std::uint32_t box, const Canvas &canvas) const;

    QList<Canvas *> m_canvases;
    /// By pair of canvases: 0 and 1, 0 and 2, 1 and 2, 0 and 3, ….
    std::vector<std::shared_ptr<Correspondence>> m_pairs;
    Canvas *m_leader;
    bool m_isFollowing = false;
};

} // namespace cutaway::views
