// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

namespace cutaway::views {

/// One line of text that is elided in the middle, a shape at its end, if it is too long; the tool tip has the whole
/// text. With an action it is a link. A context menu copies the whole text.
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
