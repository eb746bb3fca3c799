"""What every declared thing is made of: immutable records that refuse unknown fields."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of every record: immutable, keyword-only, unknown fields refused."""


class Tagged(Record, tag_field="kind", frozen=True):
    """Base of records that are one alternative of several; JSON field ``kind`` says which."""
