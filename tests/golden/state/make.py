#!/usr/bin/env python3
"""Writes reference.tsv: for each structure of src/gen6/reference the start of a generator of random
DWords, the MD5 of the lines that `dndi state decode` prints for them, and the MD5 of the DWords of
the defaults, as `dndi state encode` prints them. Shares no code with the project."""
import hashlib, os, re, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, '..', '..', '..', 'src', 'gen6', 'reference')


def table(name):
    with open(os.path.join(TABLES, name), encoding='utf-8') as file:
        return [line.split('\t') for line in file.read().split('\n')[1:-1]]


BITS = {row[0]: int(row[3]) for row in table('structures.tsv')}
FIELDS = {name: [] for name in BITS}
for row in table('fields.tsv'):
    FIELDS[row[0]].append(row)


def fields(name, base=0, prefix=''):
    """Lowest bit, width, id, type and default of every field, nested ones in place."""
    for row in FIELDS[name]:
        dword, high, low, count, stride = [int(cell or 0) for cell in row[1:6]]
        for k in range(max(count, 1)):
            at = base + 32 * (dword + k * stride) + low
            name_ = prefix + row[6] + ('[%d]' % k if count > 1 else '')
            nested = re.match(r'struct:(.*?)(?:\[(\d+)\])?$', row[7])
            array = re.match(r'u(\d+)\[(\d+)\]$', row[7])
            if nested:
                n = int(nested[2] or 1)
                for j in range(n):
                    yield from fields(nested[1], at + j * BITS[nested[1]], name_ + ('[%d]' % j if n > 1 else '') + '.')
            elif array:
                width = int(array[1])
                for j in range(int(array[2])):
                    yield at + j * width, width, '%s[%d]' % (name_, j), 'u%d' % width, ''
            else:
                yield at, high - low + 1, name_, row[7], row[8]


def shown(kind, width, raw):
    if kind[0] == 'f' or kind == 'bits' or width > 64:
        return '0x%x' % raw
    if kind[0] == 's' and raw >> (width - 1):
        return str(raw - (1 << width))
    if kind.endswith('-1'):
        return str(raw + 1)
    return str(raw << int(kind[5:]) if kind.startswith('addr:') else raw)


def random_bits(seed, size):
    state, bits = seed, 0
    for n in range((size + 31) // 32):
        state = (state * 1664525 + 1013904223) & 0xffffffff
        bits |= ((state << 16 | state >> 16) & 0xffffffff) << 32 * n
    return bits & ((1 << size) - 1)


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


with open(os.path.join(HERE, 'reference.tsv'), 'w') as out:
    for name, size in BITS.items():
        seed = zlib.crc32(name.encode())
        bits, defaults, taken = random_bits(seed, size), 0, 0
        lines = []
        for at, width, id_, kind, default in fields(name):
            if kind == 'reserved':
                continue
            mask = (1 << width) - 1
            lines.append('%s=%s' % (id_, shown(kind, width, bits >> at & mask)))
            if default and not taken & mask << at:
                defaults |= int(default) << at
                taken |= mask << at
        words = ['%08x' % (defaults >> 32 * n & 0xffffffff) for n in range((size + 31) // 32)]
        out.write('%s\t%08x\t%s\t%s\n' % (name, seed, md5('\n'.join(lines) + '\n'), md5(' '.join(words))))
