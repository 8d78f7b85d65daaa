// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

namespace cutaway::views {

/// A line of text that is elided if it is too long: in the middle, or for a shape at the end. The tool tip and the
/// context menu's copy have the entire text. With an action the label is a link.
class ElidedLabel : public QWidget {
public:
    explicit ElidedLabel(const QString &text, QWidget *parent = nullptr);

    const QString &text() const { return m_text; }
    void setText(const QString &text);
    void setToolTipDetail(const QString &detail) { m_detail = detail; }
    void setAlignment(Qt::Alignment alignment) { m_alignment = alignment; }
    void setAction(std::function<void()> action);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    QString elided() const;

    QString m_text;
    QString m_detail;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    std::function<void()> m_action;
};

} // namespace cutaway::views
