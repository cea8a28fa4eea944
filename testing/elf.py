"""The tables of a compiled model, read with nothing but what the ELF format says, so that something in them can be changed."""

import struct

HEADER, SEGMENT, SECTION, SYMBOL, RELOCATION, ENTRY = 64, 56, 64, 24, 24, 16
LOADED, DYNAMIC = 1, 2
RELATIVE = 8  # R_X86_64_RELATIVE

# The fields of `relay_model_descriptor_t` and of `relay_tensor_info`, with the places of each.
DESCRIPTOR = {
    "abi_version": 0,
    "name": 8,
    "target": 16,
    "precision": 24,
    "features": 32,
    "n_inputs": 40,
    "inputs": 48,
    "n_outputs": 56,
    "outputs": 64,
    "n_symbols": 72,
    "symbols": 80,
    "arena_bytes": 88,
    "weights": 96,
    "weights_bytes": 104,
    "run_graph": 112,
    "extents": 120,
    "n_nodes": 128,
    "node_names": 136,
    "node_ops": 144,
    "node_flops": 152,
    "n_conditions": 160,
    "conditions": 168,
    "donated": 176,
    "device": 184,
    "device_name": 192,
    "n_codes": 200,
    "codes": 208,
}
DESCRIPTOR_BYTES = 216
INFO = {"name": 0, "dtype": 8, "rank": 16, "shape": 24, "dims": 32}
INFO_BYTES = 40


class Library:
    """A library's bytes, and where what is in them."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.segments_at, self.sections_at = struct.unpack_from("<QQ", data, 32)
        self.segment_count = self.number(56, 2)
        self.section_count = self.number(60, 2)
        self.sections = dict(self._sections())
        self.relocations = {}
        for name in (".rela.dyn", ".rela.plt"):
            start, size = self.sections[name]
            for at in range(start, start + size, RELOCATION):
                self.relocations[self.number(at)] = at

    def number(self, at, size=8):
        return int.from_bytes(self.data[at : at + size], "little")

    def write(self, at, value, size=8):
        self.data[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def _sections(self):
        names = self.number(self.sections_at + SECTION * self.number(62, 2) + 24)
        for index in range(self.section_count):
            at = self.sections_at + SECTION * index
            start = names + self.number(at, 4)
            name = self.data[start : self.data.index(0, start)].decode()
            yield name, (self.number(at + 24), self.number(at + 32))

    def offset(self, address):
        """Where in the file the byte of an address is."""
        for index in range(self.segment_count):
            at = self.segments_at + SEGMENT * index
            offset, start, size = self.number(at + 8), self.number(at + 16), self.number(at + 32)
            if self.number(at, 4) == LOADED and start <= address < start + size:
                return offset + address - start
        raise ValueError(hex(address))

    def symbol(self, name):
        """The address of an exported symbol."""
        (start, size), (names, _) = self.sections[".dynsym"], self.sections[".dynstr"]
        for at in range(start, start + size, SYMBOL):
            text = names + self.number(at, 4)
            if self.data[text : self.data.index(0, text)].decode() == name:
                return self.number(at + 8)
        raise KeyError(name)

    def target(self, address):
        """The address that the pointer at an address points to when the library is loaded."""
        return self.number(self.relocations[address] + 16)

    def descriptor(self, field):
        """The address of a field of the descriptor."""
        return self.symbol("relay_model_descriptor") + DESCRIPTOR[field]

    def info(self, kind, index, field):
        """The address of a field of an input or output."""
        return self.target(self.descriptor(kind)) + INFO_BYTES * index + INFO[field]

    def described(self):
        """Ranges of the file that describe the model: the descriptor, and all that it points to but code and constants,
        and the entries by which the system's loader moves these pointers."""
        start = self.symbol("relay_model_descriptor")
        structs = [(start, DESCRIPTOR_BYTES)]
        ranges = []
        for kind in ("inputs", "outputs"):
            count = self.number(self.offset(self.descriptor(f"n_{kind}")), 4)
            structs.append((self.target(self.descriptor(kind)), INFO_BYTES * count))
            for index in range(count):
                rank = self.number(self.offset(self.info(kind, index, "rank")), 4)
                texts = [self.target(self.info(kind, index, field)) for field in ("name", "dtype")]
                ranges += [(self.offset(text), 4) for text in texts]
                if rank:
                    ranges.append((self.offset(self.target(self.info(kind, index, "shape"))), 8 * rank))
        for address, size in structs:
            ranges.append((self.offset(address), size))
            moved = [place for place in range(address, address + size, 8) if place in self.relocations]
            ranges += [(self.relocations[place], RELOCATION) for place in moved]
        return [(start, start + size) for start, size in ranges]

    def tables(self):
        """Ranges of the file that say what the library is and where its parts are: headers, and the tables for the system's
        loader but for relocations, of which most move pointers that only the code knows."""
        sections = [".dynamic", ".dynsym", ".dynstr", ".gnu.hash", ".gnu.version", ".gnu.version_r"]
        ranges = [
            (0, HEADER),
            (self.segments_at, self.segments_at + SEGMENT * self.segment_count),
            (self.sections_at, self.sections_at + SECTION * self.section_count),
        ]
        return ranges + [(start, start + size) for start, size in map(self.sections.get, sections)]
