"""Sets of cards and flags written as bytes, many at a time: what an observation mostly consists of.

A bit of a word becomes a byte in a few wide instructions, whatever the word holds: no loop over cards, no branch that
the processor has to guess. Written in the terms of the code generator, which fits them to the processor.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from baofen.envs.core.dtypes import NUM_MOVES

BYTE, INDEX, WORD = (ir.IntType(size) for size in (8, 32, 64))
LANES = 8
"""Words that are moved at a time: of four seats, those of single and of double cards."""


def _lanes(order: Iterable[int]) -> ir.Constant:
    """Return which lanes a shuffle takes."""
    lanes = list(order)
    return ir.Constant(ir.VectorType(INDEX, len(lanes)), lanes)


def _spreader(size: int) -> Callable[..., Any]:
    """Return a function (out, start, ones, twos) that writes `size` bytes of uint8 `out`, contiguous, from `start` on.

    Byte i becomes bit i of `ones` plus bit i of `twos`.
    """
    if numba.config.DISABLE_JIT:

        def write_plainly(out: Any, start: int, ones: int, twos: int) -> None:
            for index in range(size):
                out[start + index] = (ones >> index & 1) + (twos >> index & 1)

        return write_plainly

    @intrinsic
    def write(context, out, start, ones, twos):
        assert out.layout == "C" and out.ndim == 1 and out.dtype == types.uint8, out

        def generate(context, builder, signature, arguments):
            array, begin, *words = arguments
            octets = ir.VectorType(BYTE, 64)
            own_bit = ir.Constant(octets, [1 << lane % 8 for lane in range(64)])
            nothing = ir.Constant(octets, [0] * 64)
            copies = []
            for word in words:  # each byte of a word goes to eight lanes, which look for their own bit of it
                packed = builder.bitcast(word, ir.VectorType(BYTE, 8))
                spread = builder.shuffle_vector(packed, packed, _lanes(lane // 8 for lane in range(64)))
                is_set = builder.icmp_unsigned("!=", builder.and_(spread, own_bit), nothing)
                copies.append(builder.zext(is_set, octets))
            total = builder.add(*copies)
            data = context.make_array(signature.args[0])(context, builder, array).data
            target = builder.bitcast(builder.gep(data, [begin]), ir.VectorType(BYTE, size).as_pointer())
            builder.store(builder.shuffle_vector(total, total, _lanes(range(size))), target, align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.int64, types.int64), generate

    return write


write_54 = _spreader(54)
write_60 = _spreader(60)

if numba.config.DISABLE_JIT:

    def faces_of_seats(ones: Any, twos: Any, move_bits: Any, move_turns: Any) -> tuple[int, ...]:
        """Return eight words of faces for those of positions: `ones` and then `twos`, int64 [4] each.

        move_bits, move_turns: int64 [NUM_MOVES], of a layout (`data.RULES`).
        """
        faces = []
        for word in (*(ones[seat] for seat in range(4)), *(twos[seat] for seat in range(4))):
            moved = (((word & move_bits[index]) << 64 >> (64 - move_turns[index])) for index in range(NUM_MOVES))
            faces.append(sum(bits >> 64 | bits & (1 << 64) - 1 for bits in moved))
        return tuple(faces)

else:

    @intrinsic
    def faces_of_seats(context, ones, twos, move_bits, move_turns):
        """Return eight words of faces for those of positions: `ones` and then `twos`, int64 [4] each.

        move_bits, move_turns: int64 [NUM_MOVES], of a layout (`data.RULES`).
        """

        def generate(context, builder, signature, arguments):
            pointers = [
                context.make_array(kind)(context, builder, value).data
                for kind, value in zip(signature.args, arguments, strict=True)
            ]
            sets, moves = pointers[:2], pointers[2:]
            four = ir.VectorType(WORD, LANES // 2).as_pointer()
            words = builder.shuffle_vector(
                *(builder.load(builder.bitcast(pointer, four), align=8) for pointer in sets), _lanes(range(LANES))
            )
            nothing = ir.Constant(words.type, [0] * LANES)
            turning = ir.FunctionType(words.type, [words.type] * 3)
            turn = cgutils.get_or_insert_function(builder.module, turning, f"llvm.fshl.v{LANES}i64")
            faces = nothing
            for index in range(NUM_MOVES):
                bits, turns = (
                    builder.shuffle_vector(
                        builder.insert_element(nothing, builder.load(builder.gep(pointer, [WORD(index)])), INDEX(0)),
                        nothing,
                        _lanes([0] * LANES),
                    )
                    for pointer in moves
                )
                kept = builder.and_(words, bits)
                faces = builder.or_(faces, builder.call(turn, [kept, kept, turns]))
            return cgutils.pack_array(builder, [builder.extract_element(faces, INDEX(lane)) for lane in range(LANES)])

        return types.UniTuple(types.int64, LANES)(ones, twos, move_bits, move_turns), generate
