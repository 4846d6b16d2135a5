// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/base/plaintext.h"
#include "core/report/digest.h"
#include "core/report/extras.h"
#include "core/report/inwords.h"

namespace kv {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.5 Inter, "DejaVu Sans", "Noto Sans", sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 1.8em; } h3 { font-size: 1em; margin-top: 1.2em; }
.verdict { border-left: 0.4em solid; padding: 0.3em 0.9em; margin: 1em 0; }
.fits { border-color: #1a7f4b; } .tight { border-color: #c77d00; } .not { border-color: #b3261e; }
.verdict strong { font-size: 1.15em; } .verdict p { margin: 0.2em 0; }
table { border-collapse: collapse; } th, td { text-align: left; padding: 0.2em 0.9em 0.2em 0; border-bottom: 1px solid #8884; vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { font: 0.9em/1.5 "DejaVu Sans Mono", monospace; overflow-x: auto; } figure { margin: 1.5em 0; }
figure svg { max-width: 100%; height: auto; background: #fff; } footer { margin-top: 2em; font-size: 0.85em; opacity: 0.75; }
)";

std::string element(std::string_view name, std::string_view text) { return "<" + std::string(name) + ">" + htmlText(text) + "</" + std::string(name) + ">\n"; }

std::string verdictHtml(const Verdict &verdict) {
    static constexpr std::string_view classes[]{"fits", "tight", "not", "not"};
    std::string out = "<div class=\"verdict " + std::string(classes[static_cast<std::size_t>(verdict.state)]) + "\">\n";
    out += "<p><strong>" + std::string(stateWord(verdict.state)) + ": " + htmlText(verdict.headline) + "</strong></p>\n";
    if (!verdict.detail.empty())
        out += element("p", verdict.detail);
    return out + "</div>\n";
}

/// The SVG without what may stand only at the start of a file of its own.
std::string_view inlineSvg(std::string_view svg) {
    const std::size_t begin = svg.find("<svg");
    return begin == std::string_view::npos ? std::string_view() : svg.substr(begin);
}

std::string figuresHtml(const std::vector<HtmlFigure> &figures) {
    std::string out;
    for (const HtmlFigure &figure : figures)
        out += "<figure>\n" + std::string(inlineSvg(figure.svg)) + "<figcaption>" + htmlText(figure.title) + "</figcaption>\n</figure>\n";
    return out;
}

std::string derivationHtml(const std::vector<ExplainSection> &sections) {
    std::string out = sections.empty() ? std::string() : "<h2>How it is counted</h2>\n";
    for (const ExplainSection &section : sections) {
        out += element("h3", section.title) + "<pre>";
        for (const std::string &line : section.lines)
            out += htmlText(line) + "\n";
        out += "</pre>\n";
        TextTable terms;
        terms.column("Value", TextTable::Align::Right).column("What").column("From").column("Note");
        for (const ExplainTerm &term : section.terms)
            terms.row({term.value, term.name, term.from, term.note});
        if (!terms.empty())
            out += terms.html();
    }
    return out;
}

} // namespace

std::string htmlText(std::string_view text) {
    std::string out;
    for (const char c : oneLine(text)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string planHtml(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras, const std::vector<HtmlFigure> &figures, std::string_view date) {
    Digest digest = digestOf(scenario, plan, unit, extras && extras->inFlight ? &*extras->inFlight : nullptr);
    addExtras(digest, extras, unit);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n";
    out += element("title", digest.title) + "<style>" + std::string(style) + "</style>\n</head>\n<body>\n";
    out += element("h1", digest.title) + verdictHtml(digest.verdict) + figuresHtml(figures);
    for (const DigestSection &section : digest.sections)
        out += element("h2", section.title) + section.table.html(section.headings);
    out += derivationHtml(digest.derivation);
    if (!digest.warnings.empty()) {
        out += "<h2>Warnings</h2>\n<ul>\n";
        for (const std::string &warning : digest.warnings)
            out += element("li", warning);
        out += "</ul>\n";
    }
    std::string made;
    for (const std::string &item : captionOf(scenario, plan, date))
        made += (made.empty() ? "" : " · ") + item;
    return out + element("footer", made) + "</body>\n</html>\n";
}

} // namespace kv
