// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// This is Python's pickle machine with a stack, marks and a memo, but where Python would import or call, it pushes a
// record of the request. It has no recursion, makes at most one value per opcode, and compares every length with the
// bytes that are left, so time and memory are linear in the pickle.
//
// The following are not supported, and each is a clean error: the text opcodes of protocols 0 and 1 (PyTorch never
// wrote them), the extension registry, INST and OBJ, out-of-band buffers.

#include "core/base/formatted.h"
#include "core/formats/archive/little_endian.h"
#include "core/formats/archive/pickle.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <array>
#include <bit>
#include <unordered_map>

namespace cutaway::formats::archive {

namespace {

constexpr std::uint8_t stopOpcode = '.';

} // namespace

class PickleReader {
public:
    explicit PickleReader(std::span<const std::byte> bytes) : m_bytes(bytes) { }
    Pickle run();

private:
    using ValueId = Pickle::ValueId;
    using Items = Pickle::Items;

    using Handler = void (*)(PickleReader &);
    static constexpr std::array<Handler, 256> handlers();
    void step(std::uint8_t opcode);

    template <class T>
    T number()
    {
        need(sizeof(T));
        return littleEndian<T>(m_bytes, std::exchange(m_at, m_at + sizeof(T)));
    }
    void need(std::uint64_t length) const;
    std::string_view bytes(std::uint64_t length);
    std::string_view line();
    Pickle::Value longInteger(std::uint64_t length);
    double bigEndianFloat();

    void push(Pickle::Value value);
    ValueId pop();
    std::vector<ValueId> popN(std::size_t n);
    std::vector<ValueId> popToMark();
    void append(const std::vector<ValueId> &items);
    void setItems(const std::vector<ValueId> &flat);
    void pushDict(const std::vector<ValueId> &flat);
    void checkProtocol(unsigned protocol);
    void global();
    void stackGlobal();
    void call();
    void callWithKeywords();
    void build();
    void duplicate();
    void put(std::uint32_t slot);
    void get(std::uint32_t slot);
    [[noreturn]] void fail(std::string message) const;

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    std::size_t m_opAt = 0;
    std::vector<ValueId> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint32_t, ValueId> m_memo;
    Pickle m_pickle;
};

/// The handler of each opcode, with the opcode's name in Python's pickletools; refused opcodes have none.
constexpr std::array<PickleReader::Handler, 256> PickleReader::handlers()
{
    using R = PickleReader;
    using Kind = Items::Kind;
    using Text = Pickle::Text;
    using Raw = Pickle::Bytes;
    std::array<Handler, 256> on{};
    on['N'] = [](R &r) { r.push(Pickle::None{}); };                            // NONE
    on[0x88] = [](R &r) { r.push(true); };                                     // NEWTRUE
    on[0x89] = [](R &r) { r.push(false); };                                    // NEWFALSE
    on['J'] = [](R &r) { r.push(std::int64_t{r.number<std::int32_t>()}); };    // BININT
    on['K'] = [](R &r) { r.push(std::int64_t{r.number<std::uint8_t>()}); };    // BININT1
    on['M'] = [](R &r) { r.push(std::int64_t{r.number<std::uint16_t>()}); };   // BININT2
    on[0x8a] = [](R &r) { r.push(r.longInteger(r.number<std::uint8_t>())); };  // LONG1
    on[0x8b] = [](R &r) { r.push(r.longInteger(r.number<std::uint32_t>())); }; // LONG4
    on['G'] = [](R &r) { r.push(r.bigEndianFloat()); };                        // BINFLOAT
    on['X'] = [](R &r) { r.push(Text{r.bytes(r.number<std::uint32_t>())}); };  // BINUNICODE
    on[0x8c] = [](R &r) { r.push(Text{r.bytes(r.number<std::uint8_t>())}); };  // SHORT_BINUNICODE
    on[0x8d] = [](R &r) { r.push(Text{r.bytes(r.number<std::uint64_t>())}); }; // BINUNICODE8
    on['T'] = [](R &r) { r.push(Text{r.bytes(r.number<std::uint32_t>())}); };  // BINSTRING
    on['U'] = [](R &r) { r.push(Text{r.bytes(r.number<std::uint8_t>())}); };   // SHORT_BINSTRING
    on['B'] = [](R &r) { r.push(Raw{r.bytes(r.number<std::uint32_t>())}); };   // BINBYTES
    on['C'] = [](R &r) { r.push(Raw{r.bytes(r.number<std::uint8_t>())}); };    // SHORT_BINBYTES
    on[0x8e] = [](R &r) { r.push(Raw{r.bytes(r.number<std::uint64_t>())}); };  // BINBYTES8
    on[0x96] = [](R &r) { r.push(Raw{r.bytes(r.number<std::uint64_t>())}); };  // BYTEARRAY8

    on[']'] = [](R &r) { r.push(Items{Kind::List, {}}); };             // EMPTY_LIST
    on[')'] = [](R &r) { r.push(Items{Kind::Tuple, {}}); };            // EMPTY_TUPLE
    on[0x8f] = [](R &r) { r.push(Items{Kind::Set, {}}); };             // EMPTY_SET
    on['}'] = [](R &r) { r.push(Pickle::Dict{}); };                    // EMPTY_DICT
    on[0x85] = [](R &r) { r.push(Items{Kind::Tuple, r.popN(1)}); };    // TUPLE1
    on[0x86] = [](R &r) { r.push(Items{Kind::Tuple, r.popN(2)}); };    // TUPLE2
    on[0x87] = [](R &r) { r.push(Items{Kind::Tuple, r.popN(3)}); };    // TUPLE3
    on['t'] = [](R &r) { r.push(Items{Kind::Tuple, r.popToMark()}); }; // TUPLE
    on['l'] = [](R &r) { r.push(Items{Kind::List, r.popToMark()}); };  // LIST
    on[0x91] = [](R &r) { r.push(Items{Kind::Set, r.popToMark()}); };  // FROZENSET
    on['d'] = [](R &r) { r.pushDict(r.popToMark()); };                 // DICT
    on['a'] = [](R &r) { r.append(r.popN(1)); };                       // APPEND
    on['e'] = [](R &r) { r.append(r.popToMark()); };                   // APPENDS
    on[0x90] = [](R &r) { r.append(r.popToMark()); };                  // ADDITEMS
    on['s'] = [](R &r) { r.setItems(r.popN(2)); };                     // SETITEM
    on['u'] = [](R &r) { r.setItems(r.popToMark()); };                 // SETITEMS

    on['('] = [](R &r) { r.m_marks.push_back(r.m_stack.size()); };               // MARK
    on['0'] = [](R &r) { r.pop(); };                                             // POP
    on['1'] = [](R &r) { r.popToMark(); };                                       // POP_MARK
    on['2'] = [](R &r) { r.duplicate(); };                                       // DUP
    on['q'] = [](R &r) { r.put(r.number<std::uint8_t>()); };                     // BINPUT
    on['r'] = [](R &r) { r.put(r.number<std::uint32_t>()); };                    // LONG_BINPUT
    on[0x94] = [](R &r) { r.put(static_cast<std::uint32_t>(r.m_memo.size())); }; // MEMOIZE
    on['h'] = [](R &r) { r.get(r.number<std::uint8_t>()); };                     // BINGET
    on['j'] = [](R &r) { r.get(r.number<std::uint32_t>()); };                    // LONG_BINGET
    on['c'] = [](R &r) { r.global(); };                                          // GLOBAL
    on[0x93] = [](R &r) { r.stackGlobal(); };                                    // STACK_GLOBAL
    on['R'] = [](R &r) { r.call(); };                                            // REDUCE
    on[0x81] = [](R &r) { r.call(); };                                           // NEWOBJ
    on[0x92] = [](R &r) { r.callWithKeywords(); };                               // NEWOBJ_EX
    on['b'] = [](R &r) { r.build(); };                                           // BUILD
    on['Q'] = [](R &r) { r.push(Pickle::Persistent{r.pop()}); };                 // BINPERSID
    on[0x80] = [](R &r) { r.checkProtocol(r.number<std::uint8_t>()); };          // PROTO
    on[0x95] = [](R &r) { r.number<std::uint64_t>(); };                          // FRAME
    return on;
}

Pickle PickleReader::run()
{
    for (std::uint8_t opcode = 0; opcode != stopOpcode;) {
        m_opAt = m_at;
        opcode = number<std::uint8_t>();
        if (opcode != stopOpcode)
            step(opcode);
    }
    m_pickle.m_root = pop();
    m_pickle.m_length = m_at;
    return std::move(m_pickle);
}

void PickleReader::step(std::uint8_t opcode)
{
    static constexpr auto table = handlers();
    if (const Handler handler = table[opcode])
        handler(*this);
    else
        fail(formatted("the pickle has opcode 0x{:02x}, which is not read", opcode));
}

void PickleReader::checkProtocol(unsigned protocol)
{
    if (protocol < 2 || protocol > 5)
        fail(formatted("the pickle has protocol {}; 2 to 5 are read", protocol));
}

void PickleReader::need(std::uint64_t length) const
{
    if (length > m_bytes.size() - m_at)
        fail(formatted("the pickle ends early: {} bytes expected, {} left", length, m_bytes.size() - m_at));
}

std::string_view PickleReader::bytes(std::uint64_t length)
{
    need(length);
    return asText(m_bytes.subspan(std::exchange(m_at, m_at + length), length));
}

std::string_view PickleReader::line()
{
    const std::string_view rest = asText(m_bytes.subspan(m_at));
    const std::size_t end = rest.find('\n');
    if (end == rest.npos)
        fail("the pickle ends inside a name");
    m_at += end + 1;
    return rest.substr(0, end);
}

Pickle::Value PickleReader::longInteger(std::uint64_t length)
{
    const std::string_view raw = bytes(length);
    if (raw.size() > 8)
        return Pickle::BigInteger{raw};
    std::uint64_t n = !raw.empty() && static_cast<signed char>(raw.back()) < 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = raw.size(); i-- > 0;)
        n = (n << 8) | static_cast<unsigned char>(raw[i]);
    return std::bit_cast<std::int64_t>(n);
}

double PickleReader::bigEndianFloat() { return std::bit_cast<double>(std::byteswap(number<std::uint64_t>())); }

void PickleReader::push(Pickle::Value value)
{
    if (m_pickle.m_values.size() >= limits::maxPickledValues)
        fail(formatted("the pickle has more than {} values", limits::maxPickledValues));
    m_stack.push_back(ValueId{static_cast<std::uint32_t>(m_pickle.m_values.size())});
    m_pickle.m_values.push_back(std::move(value));
}

/// Takes the top of the stack. An opcode may not take values below the last mark.
Pickle::ValueId PickleReader::pop()
{
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() <= m_marks.back()))
        fail("the pickle takes a value from an empty stack");
    const ValueId top = m_stack.back();
    m_stack.pop_back();
    return top;
}

std::vector<Pickle::ValueId> PickleReader::popN(std::size_t n)
{
    std::vector<ValueId> values(n);
    for (std::size_t i = n; i-- > 0;)
        values[i] = pop();
    return values;
}

std::vector<Pickle::ValueId> PickleReader::popToMark()
{
    if (m_marks.empty())
        fail("the pickle looks for a mark that was never set");
    const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<ValueId> values(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    m_marks.pop_back();
    return values;
}

/// Takes a list from the stack and appends the items to it.
void PickleReader::append(const std::vector<ValueId> &items)
{
    const ValueId to = pop();
    if (auto *list = std::get_if<Items>(&m_pickle.m_values[to.index]); list && list->kind != Items::Kind::Tuple)
        list->items.insert(list->items.end(), items.begin(), items.end());
    else if (auto *made = std::get_if<Pickle::Call>(&m_pickle.m_values[to.index]))
        made->items.insert(made->items.end(), items.begin(), items.end());
    else
        fail("the pickle appends to something that is not a list");
    m_stack.push_back(to);
}

/// Sets items of the dict on top of the stack: `flat` alternates keys and values.
void PickleReader::setItems(const std::vector<ValueId> &flat)
{
    const ValueId to = pop();
    auto *dict = std::get_if<Pickle::Dict>(&m_pickle.m_values[to.index]);
    auto *made = std::get_if<Pickle::Call>(&m_pickle.m_values[to.index]);
    if (flat.size() % 2 != 0 || (!dict && !made))
        fail("the pickle sets an item of something that is not a dict, or a key without a value");
    auto &entries = dict ? dict->entries : made->entries;
    for (std::size_t i = 0; i < flat.size(); i += 2)
        entries.emplace_back(flat[i], flat[i + 1]);
    m_stack.push_back(to);
}

void PickleReader::pushDict(const std::vector<ValueId> &flat)
{
    push(Pickle::Dict{});
    setItems(flat);
}

void PickleReader::call()
{
    const auto parts = popN(2);
    push(Pickle::Call{parts[0], parts[1], {}, {}, {}});
}

/// Pushes a call class(*arguments, **keywords); the keywords become its entries.
void PickleReader::callWithKeywords()
{
    const auto parts = popN(3);
    Pickle::Call made{parts[0], parts[1], {}, {}, {}};
    if (const auto keywords = m_pickle.entries(parts[2]))
        made.entries.assign(keywords->begin(), keywords->end());
    push(std::move(made));
}

void PickleReader::global()
{
    const std::string_view module = line();
    push(Pickle::Global{module, line()});
}

void PickleReader::stackGlobal()
{
    const auto parts = popN(2);
    const auto module = m_pickle.text(parts[0]);
    const auto name = m_pickle.text(parts[1]);
    if (!module || !name)
        fail("the pickle names a global by something that is not a text");
    push(Pickle::Global{*module, *name});
}

void PickleReader::build()
{
    const ValueId state = pop();
    const ValueId object = pop();
    auto *made = std::get_if<Pickle::Call>(&m_pickle.m_values[object.index]);
    if (!made)
        fail("the pickle gives a state to something that is not an object");
    made->state = state;
    m_stack.push_back(object);
}

void PickleReader::duplicate()
{
    const ValueId top = pop();
    m_stack.insert(m_stack.end(), 2, top);
}

void PickleReader::put(std::uint32_t slot)
{
    const ValueId top = pop();
    m_stack.push_back(top);
    m_memo.insert_or_assign(slot, top);
}

void PickleReader::get(std::uint32_t slot)
{
    const auto found = m_memo.find(slot);
    if (found == m_memo.end())
        fail(formatted("the pickle reads memo entry {}, which was never written", slot));
    m_stack.push_back(found->second);
}

void PickleReader::fail(std::string message) const
{
    unusable(std::move(message), formatted("pickle byte {}", m_opAt));
}

Result<Pickle> Pickle::read(std::span<const std::byte> bytes)
{
    return resultOf([&] { return PickleReader(bytes).run(); });
}

} // namespace cutaway::formats::archive
