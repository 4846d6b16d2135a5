// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logreader.h"

#include "core/base/inputfile.h"
#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <memory>

namespace kv {

namespace {

/// Servers that are no engine here, by a word of their logs.
struct OtherEngine {
    std::string_view word, name;
};
constexpr std::array<OtherEngine, 7> others{{
    {"text-generation-launcher", "Text Generation Inference (TGI)"},
    {"text_generation_launcher", "Text Generation Inference (TGI)"},
    {"text_generation_router", "Text Generation Inference (TGI)"},
    {"[lmdeploy]", "LMDeploy"},
    {"[TM][INFO]", "LMDeploy (TurboMind)"},
    {"mlc_llm", "MLC LLM"},
    {"exllamav", "ExLlama"},
}};

const SentenceFinder &finder() {
    static const SentenceFinder all(logVocabularies());
    return all;
}

std::string notRecognised(const std::string &source, std::int64_t lines, std::string_view other) {
    std::string text = oneLine(source) + ": ";
    if (lines == 0)
        text += "the log is empty, ";
    else if (!other.empty())
        text += "this looks like a log of " + std::string(other) + ", which is not counted here; ";
    text += "no start-up line of vLLM, SGLang, TensorRT-LLM, llama.cpp or Ollama was found";
    return lines > 0 ? text + " in " + writeNumber(lines) + (lines == 1 ? " line" : " lines") : text;
}

/// Ranks that were seen say how many there are, where no setting does.
void countRanks(LogDraft &draft) {
    const auto offer = [](std::optional<std::int64_t> &field, std::int64_t highest) {
        if (!field && highest >= 0 && highest < mostRanks)
            field = highest + 1;
    };
    offer(draft.log.tp, draft.highest.tp);
    offer(draft.log.pp, draft.highest.pp);
    offer(draft.log.dp, draft.highest.dp);
}

} // namespace

ServerLogReader::ServerLogReader() {
    for (const LogVocabulary &vocabulary : logVocabularies())
        if (std::ranges::find(m_drafts, vocabulary.engine, [](const auto &entry) { return entry.first; }) == m_drafts.end())
            m_drafts.emplace_back(vocabulary.engine, LogDraft{});
}

LogDraft &ServerLogReader::draftOf(std::string_view engine) {
    return std::ranges::find(m_drafts, engine, [](const auto &entry) { return entry.first; })->second;
}

void ServerLogReader::feed(std::string_view bytes) {
    m_lines.feed(bytes, [this](std::string_view line) { take(line); });
}

void ServerLogReader::take(std::string_view line) {
    m_hits.clear();
    finder().find(line, m_hits);
    if (m_other.empty() && m_lines.count() < 1000)
        for (const OtherEngine &other : others)
            if (line.find(other.word) != std::string_view::npos)
                m_other = other.name;
    const std::span<const LogVocabulary> all = logVocabularies();
    const auto sentenceOf = [&](const SentenceFinder::Hit &hit) -> const LogSentence & { return all[hit.vocabulary].sentences[hit.sentence]; };
    if (std::ranges::any_of(m_hits, [&](const auto &hit) { return !sentenceOf(hit).read; }))
        return;
    for (const SentenceFinder::Hit &hit : m_hits) {
        const LogSentence &sentence = sentenceOf(hit);
        const FoundSentence found{line, sentence.phrase, hit.end - sentence.phrase.size(), m_lines.count()};
        if (sentence.begins && !beginsMessage(line, found.begin))
            continue;
        LogDraft &draft = draftOf(all[hit.vocabulary].engine);
        sentence.read(draft, found);
        if (!sentence.hint || std::exchange(draft.said, false)) {
            draft.lastLine = found.lineNumber;
            ++draft.sentences;
        }
    }
}

Parsed<ServerLog> ServerLogReader::finish(const std::string &source) {
    m_lines.finish([this](std::string_view line) { take(line); });
    const auto last = std::ranges::max_element(m_drafts, {}, [](const auto &entry) { return entry.second.lastLine; });
    if (last->second.sentences == 0)
        return {std::nullopt, {errorNote("log-not-recognised", oneLine(source), notRecognised(source, m_lines.count(), m_other))}};
    LogDraft &draft = last->second;
    for (const LogVocabulary &vocabulary : logVocabularies())
        if (vocabulary.engine == last->first && vocabulary.finish)
            vocabulary.finish(draft);
    countRanks(draft);
    ServerLog log = std::move(draft.log);
    log.engine = std::string(last->first);
    log.lines = m_lines.count();
    log.starts = std::max<std::int64_t>(1, log.starts);
    if (log.starts > 1)
        log.notes.push_back(infoNote("log-several-starts", oneLine(source),
                                     "The log holds " + writeNumber(log.starts) + " starts; the last is the one told."));
    for (std::optional<std::string> *text : {&log.version, &log.model, &log.modelFile, &log.kvDtype, &log.keyDtype, &log.valueDtype, &log.gpuName, &log.weightsType, &log.refusal})
        if (*text)
            *text = oneLine(**text, 1000);
    Notes notes = log.notes;
    return {std::move(log), std::move(notes)};
}

Parsed<ServerLog> readServerLog(const std::string &path) {
    const Parsed<InputFile> file = InputFile::open(path);
    if (!file)
        return {std::nullopt, file.notes};
    constexpr std::size_t blockBytes = 256 * kibibyte;
    const auto block = std::make_unique_for_overwrite<char[]>(blockBytes);
    ServerLogReader reader;
    std::int64_t at = 0;
    for (std::size_t got = blockBytes; got == blockBytes; at += static_cast<std::int64_t>(got)) {
        got = file->readAt(at, block.get(), blockBytes);
        reader.feed({block.get(), got});
    }
    if (at < file->size()) // half a log would be taken for a whole one
        return {std::nullopt, {errorNote("read-failed", oneLine(path), oneLine(path) + " could be read only in part: it shrank, or its disk failed")}};
    return reader.finish(path);
}

Parsed<ServerLog> readServerLogText(std::string_view text, const std::string &source) {
    ServerLogReader reader;
    reader.feed(text);
    return reader.finish(source);
}

} // namespace kv
