// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/formula.h"

#include "core/base/quantity.h"

#include <array>
#include <initializer_list>

namespace kv {

namespace {

/// Builds the named and the substituted form side by side, so that the two cannot disagree.
class Builder {
public:
    explicit Builder(const PartTerms &part) : m_part(part) {}

    Builder &layers() { return put("layers", writeNumber(m_part.layers)); }
    Builder &factor(Role role) {
        if (const Factor *found = findFactor(m_part.terms, role))
            put(roleName(role), factorValue(*found));
        return *this;
    }
    Builder &put(std::string_view name, std::string_view value) {
        if (m_needsSign)
            both(" × ");
        m_formula.named += name;
        m_formula.substituted += value;
        m_needsSign = true;
        return *this;
    }
    /// "(a + b)" or "(a × c + b × d)": terms of roles that are multiplied inside and added between.
    Builder &sum(std::initializer_list<std::initializer_list<Role>> products) {
        if (m_needsSign)
            both(" × ");
        both("(");
        bool first = true;
        for (const auto &product : products) {
            if (!first)
                both(" + ");
            first = false;
            m_needsSign = false;
            for (const Role role : product)
                factor(role);
        }
        both(")");
        m_needsSign = true;
        return *this;
    }
    /// A bracket that the next factors stand in; plus() parts them.
    Builder &open() {
        both(m_needsSign ? " × (" : "(");
        m_needsSign = false;
        return *this;
    }
    Builder &plus() {
        both(" + ");
        m_needsSign = false;
        return *this;
    }
    Builder &over(Role role) {
        both(" ÷ ");
        m_needsSign = false;
        return factor(role);
    }
    Builder &close() {
        both(")");
        return *this;
    }
    Formula take() { return std::move(m_formula); }

private:
    void both(std::string_view text) {
        m_formula.named += text;
        m_formula.substituted += text;
    }

    const PartTerms &m_part;
    Formula m_formula;
    bool m_needsSign = false;
};

void headFormula(Builder &b, const PartTerms &part) {
    if (findFactor(part.terms, Role::KeyAndValue))
        b.factor(Role::KeyAndValue).layers().factor(Role::KvHeads).factor(Role::HeadDim);
    else if (findFactor(part.terms, Role::KeyBytes))
        b.layers().factor(Role::KvHeads).sum({{Role::KeySize, Role::KeyBytes}, {Role::ValueSize, Role::ValueBytes}});
    else
        b.layers().factor(Role::KvHeads).sum({{Role::KeySize}, {Role::ValueSize}});
    b.factor(Role::ElementBytes);
}

void stateFormula(Builder &b, const PartTerms &part) {
    const bool conv = findFactor(part.terms, Role::ConvElements), state = findFactor(part.terms, Role::StateElements);
    b.layers();
    if (conv && state)
        b.sum({{Role::ConvElements, Role::ConvBytes}, {Role::StateElements, Role::StateBytes}});
    else
        b.factor(conv ? Role::ConvElements : Role::StateElements).factor(conv ? Role::ConvBytes : Role::StateBytes);
}

/// A vector in the window for the token itself, and its share of an entry that stands for several, which may hold an index key as well.
void compressedFormula(Builder &b, const PartTerms &part) {
    const Factor *window = findFactor(part.terms, Role::Window);
    b.layers();
    if (!findFactor(part.terms, Role::Ratio)) {
        b.factor(Role::HeadDim).factor(Role::ElementBytes);
        return;
    }
    b.open();
    if (window && window->value > 0)
        b.factor(Role::HeadDim).factor(Role::ElementBytes).plus();
    if (findFactor(part.terms, Role::IndexSize))
        b.sum({{Role::HeadDim}, {Role::IndexSize}});
    else
        b.factor(Role::HeadDim);
    b.factor(Role::ElementBytes).over(Role::Ratio).close();
}

} // namespace

Formula formulaOf(const PartTerms &part) {
    Builder b(part);
    switch (part.kind) {
    case CacheKind::Full:
    case CacheKind::Window:
    case CacheKind::Chunked:
        headFormula(b, part);
        break;
    case CacheKind::Latent:
        b.layers().sum({{Role::LatentRank}, {Role::RopeSize}}).factor(Role::ElementBytes);
        break;
    case CacheKind::Index:
        b.layers().factor(Role::IndexSize).factor(Role::ElementBytes);
        break;
    case CacheKind::Cross:
        headFormula(b, part);
        b.factor(Role::EncoderTokens);
        break;
    case CacheKind::State:
        stateFormula(b, part);
        break;
    case CacheKind::Compressed:
        compressedFormula(b, part);
        break;
    }
    return b.take();
}

std::string_view roleName(Role role) {
    static constexpr auto names = std::to_array<std::string_view>({ // in the order of Role
        "2", "layers", "KV heads", "head dim", "K size", "V size", "latent rank", "rope size", "index key", "K bytes", "V bytes", "bytes", "window",
        "chunk", "ratio", "tokens", "sequences", "shared prefix", "encoder tokens", "convolution", "its bytes", "state", "its bytes", "query heads",
        "hidden size", "model limit", "vocabulary", "intermediate size", "experts", "type", "layers that share"
    });
    static_assert(names.size() == static_cast<std::size_t>(Role::SharedLayers) + 1);
    return names[static_cast<std::size_t>(role)];
}

std::string factorValue(const Factor &factor) {
    std::string text = writeNumber(factor.value);
    if (factor.divisor != 1)
        text += "/" + writeNumber(factor.divisor);
    return text;
}

const Factor *findFactor(const CacheTerms &terms, Role role) {
    for (std::uint8_t i = 0; i < terms.count; ++i)
        if (terms.factors[i].role == role)
            return &terms.factors[i];
    return nullptr;
}

} // namespace kv
