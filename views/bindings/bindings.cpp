// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bindings/bindings.h"

#include "core/request/given.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/bindings/given_row.h"
#include "views/parts/open_inputs.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/figures.h"
#include "views/session/session.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace cutaway::views {
namespace {

/// How long after the last key press a typed value takes effect, so that figures are not computed for every letter.
constexpr int bindingPauseMs = 150;

QString firstUpper(const std::string &text)
{
    QString message = shown(text);
    return message.isEmpty() ? message : message.replace(0, 1, message.first(1).toUpper()) + '.';
}

QString rangeText(const ir::Symbol &symbol)
{
    const auto bound = [](const std::optional<std::int64_t> &n, const QString &defaultValue) {
        return n ? QString::number(*n) : defaultValue;
    };
    QString text = symbol.min || symbol.max
        ? QStringLiteral("%1 … %2").arg(bound(symbol.min, {}), bound(symbol.max, QStringLiteral("∞")))
        : QObject::tr("any size");
    return symbol.hint ? text + QObject::tr(", example %1").arg(*symbol.hint) : text;
}

class BindingsView : public QScrollArea {
public:
    BindingsView(Session &session, QWidget *parent)
        : QScrollArea(parent),
          m_document(session.document()),
          m_analysing(session.analysing())
    {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_pause.setSingleShot(true);
        m_pause.setInterval(bindingPauseMs);
        connect(&m_pause, &QTimer::timeout, this, [this] { give(); });
        connect(&session.document(), &Document::functionChanged, this, [this] { rebuild(); });
        connect(&session.analysing(), &Analysing::figuresChanged, this, [this] { follow(); });
        rebuild();
    }

private:
    void rebuild()
    {
        m_symbols.clear();
        m_inputs.clear();
        auto *page = new QWidget;
        page->setMinimumWidth(1); // fields and texts shrink with the dock, so that nothing is cut off at the right
        page->setBackgroundRole(QPalette::Base);
        page->setAutoFillBackground(true);
        m_column = new QVBoxLayout(page);
        m_column->setContentsMargins(16, 12, 16, 16);
        m_column->setSpacing(6);
        addSymbols(page);
        addInputs(page);
        m_problem = new QLabel(page);
        m_problem->setWordWrap(true);
        m_problem->setTextFormat(Qt::PlainText);
        m_problem->hide();
        m_column->addWidget(m_problem);
        m_held = new QLabel(page);
        m_held->setWordWrap(true);
        m_held->setTextFormat(Qt::PlainText);
        m_held->hide();
        m_column->addWidget(m_held);
        if (m_symbols.empty() && m_inputs.empty())
            addText(page, tr("Nothing to set: the function has no inputs."));
        else
            addButtons(page);
        m_column->addStretch();
        setWidget(page);
        setFocusProxy(!m_symbols.empty() ? m_symbols.front() : !m_inputs.empty() ? m_inputs.front() : nullptr);
    }

    void addText(QWidget *page, const QString &text)
    {
        auto *label = new QLabel(text, page);
        label->setWordWrap(true);
        label->setForegroundRole(QPalette::PlaceholderText);
        m_column->addWidget(label);
    }

    void addSection(QWidget *page, const QString &title)
    {
        auto *label = new QLabel(title, page);
        QFont font = label->font();
        font.setWeight(QFont::DemiBold);
        label->setFont(font);
        label->setContentsMargins(0, m_column->isEmpty() ? 0 : 10, 0, 2);
        m_column->addWidget(label);
    }

    GivenRow *addRow(QWidget *page, GivenRow::Subject subject, GivenRow::Check check)
    {
        auto *row = new GivenRow(std::move(subject), std::move(check), page);
        m_column->addWidget(row);
        connect(row, &GivenRow::edited, this, [this] { m_pause.start(); });
        return row;
    }

    void addSymbols(QWidget *page)
    {
        const ir::Model &model = m_document.file();
        if (!model.symbols.empty())
            addSection(page, tr("Symbols"));
        for (const ir::Symbol &symbol : model.symbols) {
            const auto check = [&model, name = symbol.name](const QString &text) {
                const std::string binding = name + "=" + text.toStdString();
                const auto given = request::parseBindings(model, std::span(&binding, 1));
                return given ? QString() : firstUpper(given.error().text());
            };
            GivenRow::Subject subject{.name = shown(symbol.name),
                                      .wanted = tr("unset"),
                                      .note = rangeText(symbol),
                                      .isSize = true,
                                      .example = symbol.hint,
                                      .lowest = symbol.min,
                                      .highest = symbol.max};
            m_symbols.push_back(addRow(page, std::move(subject), check));
        }
    }

    void addInputs(QWidget *page)
    {
        m_openInputs = openInputs(m_document.file(), m_document.functionId());
        if (!m_openInputs.empty())
            addSection(page, tr("Inputs"));
        for (const OpenInput &input : m_openInputs)
            m_inputs.push_back(addRow(page,
                                      {.name = shown(input.path),
                                       .wanted = input.wanted,
                                       .note = {},
                                       .isFixed = input.isFixed,
                                       .takesFile = input.isTensor},
                                      [this, input](const QString &text) { return inputProblem(input, text); }));
    }

    QString inputProblem(const OpenInput &input, const QString &text) const
    {
        ir::Model model = m_document.file();
        const auto result = request::giveInputs(model, m_document.functionId(), input.given(text), {});
        return result ? QString() : firstUpper(result.error().text());
    }

    void addButtons(QWidget *page)
    {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(0, 10, 0, 0);
        row->setSpacing(8);
        const bool hasExamples =
            std::ranges::any_of(m_symbols, [](const GivenRow *r) { return r->subject().example.has_value(); })
            || std::ranges::any_of(m_openInputs, [](const OpenInput &input) { return !input.example.isEmpty(); });
        if (hasExamples)
            row->addWidget(button(page, tr("Use examples"), [this] {
                for (GivenRow *symbol : m_symbols)
                    if (symbol->subject().example)
                        symbol->setText(QString::number(*symbol->subject().example));
                for (std::size_t i = 0; i < m_inputs.size(); ++i)
                    if (m_inputs[i]->text().isEmpty() && !m_openInputs[i].example.isEmpty())
                        m_inputs[i]->setText(m_openInputs[i].example);
            }));
        row->addWidget(button(page, tr("Reset"), [this] {
            for (const auto *rows : {&m_symbols, &m_inputs})
                for (GivenRow *given : *rows)
                    given->setText({});
        }));
        row->addStretch();
        m_column->addLayout(row);
        addText(page,
                tr("Shapes, costs, tables and plots update as you type. The up and down arrow keys change a symbol by "
                   "1. An input takes other sizes, also with a symbol (Nx3x224x224:float32), its elements ([0, 1]), or "
                   "a file of them (@x.npy)."));
    }

    static QPushButton *button(QWidget *page, const QString &text, std::function<void()> action)
    {
        auto *made = new QPushButton(text, page);
        QObject::connect(made, &QPushButton::clicked, made, [action = std::move(action)] { action(); });
        return made;
    }

    /// Shows the values that another view has given, the default sizes, and a node that keeps a size from the file.
    void follow()
    {
        tellHeld();
        tellDefaults();
        if (m_pause.isActive() || m_document.given() == texts())
            return;
        for (std::size_t i = 0; i < m_symbols.size(); ++i)
            m_symbols[i]->setText(valueOf(m_document.given().bindings, m_document.file().symbols[i].name));
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            m_inputs[i]->setText(m_openInputs[i].text(m_document.given().inputs));
    }

    /// Shows beside each open size the number that figures are computed with while the user gives none.
    void tellDefaults()
    {
        const auto figures = m_analysing.figures();
        for (std::size_t i = 0; figures && i < m_symbols.size(); ++i) {
            const ir::Symbol &symbol = m_document.file().symbols[i];
            const auto &defaults = figures->examples().bindings;
            const auto found = defaults.find(symbol.name);
            if (!symbol.hint && found != defaults.end())
                m_symbols[i]->setNote(tr("%1, default %2").arg(rangeText(symbol)).arg(found->second));
        }
    }

    void tellHeld()
    {
        const auto figures = m_analysing.figures();
        const auto *held = figures ? &figures->analysis().held : nullptr;
        m_held->setVisible(held && !held->empty());
        if (m_held->isHidden())
            return;
        QString text =
            tr("%1 keeps a size from the file: %2.")
                .arg(shownName({m_document.function().graph, held->front().node}), shown(held->front().message));
        if (held->size() > 1)
            text += tr(" %1 more in Diagnostics.").arg(held->size() - 1);
        m_held->setText(text);
    }

    static QString valueOf(const std::vector<std::string> &given, const std::string &name)
    {
        const auto found = std::ranges::find_if(given, [&](const std::string &t) { return t.starts_with(name + "="); });
        return found == given.end() ? QString() : shown(found->substr(name.size() + 1));
    }

    /// Returns the texts of all rows that are filled in and have no error of their own.
    GivenTexts texts() const
    {
        GivenTexts texts;
        for (std::size_t i = 0; i < m_symbols.size(); ++i)
            if (m_symbols[i]->isGiven())
                texts.bindings.push_back(m_document.file().symbols[i].name + "=" + m_symbols[i]->text().toStdString());
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            if (m_inputs[i]->isGiven())
                std::ranges::copy(m_openInputs[i].given(m_inputs[i]->text()), std::back_inserter(texts.inputs));
        return texts;
    }

    /// Gives the texts to the document. If they do not fit together, the error is shown below the rows.
    void give()
    {
        const Result<void> given = m_document.give(texts());
        QPalette colors = palette();
        colors.setColor(QPalette::WindowText, errorColor(colors));
        m_problem->setPalette(colors);
        m_problem->setText(given ? QString() : firstUpper(given.error().text()));
        m_problem->setVisible(!given);
    }

    Document &m_document;
    const Analysing &m_analysing;
    QVBoxLayout *m_column = nullptr;
    std::vector<GivenRow *> m_symbols, m_inputs;
    std::vector<OpenInput> m_openInputs; ///< the inputs of the rows in m_inputs
    QLabel *m_problem = nullptr;         ///< why the given values are inconsistent
    QLabel *m_held = nullptr;            ///< names a node that keeps a size from the file although another one is given
    QTimer m_pause;
};

} // namespace

QWidget *makeBindingsView(Session &session, QWidget *parent) { return new BindingsView(session, parent); }

} // namespace cutaway::views
