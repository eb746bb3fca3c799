"""Round trips of arrays, states and rows, and refusal of everything that is not plain numbers."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayescope.engine.session import codec, rows
from bayescope.engine.session.codec import CodecError
from bayescope.engine.session.records import EvaluationRecord

ARRAYS = hnp.arrays(
    st.sampled_from([np.float64, np.int64, np.bool_, np.float32, np.uint8]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
PLAIN = st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.floats() | st.text(max_size=20)
STATES = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def equal(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, float) and math.isnan(a):
        return isinstance(b, float) and math.isnan(b)
    return type(a) is type(b) and a == b


@given(ARRAYS)
@settings(max_examples=30, deadline=None)
def test_arrays_come_back_bit_for_bit_and_numpy_can_read_them(array):
    import io

    data = codec.encode_array(array)
    assert equal(codec.decode_array(data), array)
    assert equal(np.load(io.BytesIO(data), allow_pickle=False), array)


@given(STATES)
@settings(max_examples=40, deadline=None)
def test_states_come_back_as_they_were(state):
    assert equal(codec.decode_state(codec.encode_state(state)), state)


@given(st.binary(max_size=300))
@settings(max_examples=50, deadline=None)
def test_arbitrary_bytes_are_refused_in_words_or_are_plain_content(data):
    for decode in (codec.decode_array, codec.decode_state, rows.problem_of):
        try:
            decode(data)
        except CodecError as error:
            assert str(error)  # noqa: PT017


@given(st.binary(max_size=60), st.binary(max_size=60))
@settings(max_examples=40, deadline=None)
def test_damaged_headers_of_arrays_are_refused(middle, end):
    with pytest.raises(CodecError):
        codec.decode_array(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'," + middle + b"(1,)" + end)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_comes_back_and_what_is_none_is_0(value):
    assert codec.decode_number(repr(value).encode()) == (value if math.isfinite(value) else 0.0)
    assert [codec.decode_number(data) for data in (None, b"", b"abc", b"\xff", b"1e999")] == [0.0] * 5


@given(
    u=hnp.arrays(np.float64, 3, elements=st.floats(allow_nan=False, allow_infinity=False)),
    values=st.dictionaries(
        st.text(min_size=1, max_size=8), st.floats(allow_nan=False, allow_infinity=False), max_size=4
    ),
    target=st.floats(allow_nan=False, allow_infinity=False),
    reason=st.text(max_size=40),
    outputs=st.dictionaries(
        st.text(max_size=5), hnp.arrays(np.float64, hnp.array_shapes(max_dims=1, max_side=5)), max_size=2
    ),
)
@settings(max_examples=30, deadline=None)
def test_evaluations_survive_the_database(u, values, target, reason, outputs):
    import sqlite3

    from bayescope.engine.session.schema import EVALUATION_COLUMNS, TABLES

    e = EvaluationRecord(3, 1, u, values, "ok", target, -1.0, target, 0.0, 1.0, 5.0, reason, "", outputs, "design")
    connection = sqlite3.connect(":memory:")
    connection.execute(TABLES["evaluations"])
    connection.execute(f"INSERT INTO evaluations VALUES ({', '.join('?' * 16)})", rows.evaluation_row(e))
    row = connection.execute(f"SELECT {', '.join(EVALUATION_COLUMNS)}, crc FROM evaluations").fetchone()
    connection.close()
    back = rows.evaluation_of(row)
    assert back.u.tobytes() == u.tobytes()
    assert back.values == values
    assert back.log_target == target
    assert back.reason == reason.encode("utf-8", "replace").decode()
    assert equal(back.outputs, outputs)


class Bomb:
    def __reduce__(self):
        return (exec, ("raise SystemExit('executed')",))


def test_a_pickle_is_never_loaded():
    """An object array's .npy bytes carry a pickle; the codec refuses them unread."""
    import io

    out = io.BytesIO()
    np.save(out, np.array([Bomb()], dtype=object), allow_pickle=True)
    with pytest.raises(CodecError):
        codec.decode_array(out.getvalue())
    with pytest.raises(CodecError):
        codec.decode_state(pickle.dumps(Bomb()))
    with pytest.raises(CodecError):
        codec.encode_state({"f": print})
