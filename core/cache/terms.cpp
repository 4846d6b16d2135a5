// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/terms.h"

namespace kv {

Bytes vectorBytes(std::int64_t elements, ElementType type) {
    const ElementTypeInfo &entry = info(type);
    return Bytes(checked::add(bytesFor(elements, entry.blockElements, entry.blockBytes), entry.headBytes));
}

Bytes tokenBytes(const HeadShape &heads, const CacheTypes &types) {
    return heads.kvHeads * (vectorBytes(heads.keySize, types.key) + vectorBytes(heads.valueSize, types.value));
}

void addElementFactor(CacheTerms &terms, Role role, ElementType type) {
    const ElementTypeInfo &entry = info(type);
    terms.add(role, entry.blockBytes, entry.blockElements);
}

void addHeadFactors(CacheTerms &terms, const HeadShape &heads, const CacheTypes &types) {
    const bool oneSize = heads.keySize == heads.valueSize;
    const bool oneType = types.key == types.value;
    if (oneSize && oneType)
        terms.add(Role::KeyAndValue, 2);
    terms.add(Role::KvHeads, heads.kvHeads);
    if (oneSize && oneType) {
        terms.add(Role::HeadDim, heads.keySize);
        addElementFactor(terms, Role::ElementBytes, types.key);
        return;
    }
    // KV heads × (K size × its bytes + V size × its bytes)
    terms.add(Role::KeySize, heads.keySize);
    addElementFactor(terms, Role::KeyBytes, types.key);
    terms.add(Role::ValueSize, heads.valueSize);
    addElementFactor(terms, Role::ValueBytes, types.value);
}

} // namespace kv
