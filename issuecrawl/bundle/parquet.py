"""Tables of a bundle as Parquet: written in row groups, read back batch by batch."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from issuecrawl.model.errors import FormatError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from io import BufferedIOBase, RawIOBase
    from pathlib import Path

    from issuecrawl.bundle.tables import Column, Table

ROWS: Final = 1 << 16
"""Rows of a row group: what is held in memory at once."""

LARGEST_GROUP: Final = 1 << 30
"""Bytes that a row group may unpack to."""

LONGEST_CELL: Final = 1 << 20
"""Bytes of a text; an address has at most 65,536, a title what its page has."""

_TYPES: Final[dict[str, Any]] = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "string": pa.string(),
    "boolean": pa.bool_(),
    # Parquet has no seconds.
    "datetime": pa.timestamp("ms", tz="UTC"),
}


def schema(table: Table) -> Any:
    """Return the Arrow schema of *table*."""
    return pa.schema(
        pa.field(column.name, _TYPES[column.type], nullable=column.optional)
        for column in table.columns
    )


def words(codes: Any, of: Sequence[str | None]) -> Any:
    """Return the words that *codes* (integers) stand for, as a column."""
    indices = pa.array(codes, pa.int32())
    values = pa.array(of, pa.string())
    return pa.DictionaryArray.from_arrays(indices, values).cast(pa.string())


def write(
    file: RawIOBase | BufferedIOBase, table: Table, batches: Iterable[Sequence[Any]]
) -> int:
    """Write *batches*, each a sequence of columns, a row group each; return the rows.

    The same rows give the same bytes by the same version of PyArrow.
    """
    found, rows = schema(table), 0
    texts = [column.name for column in table.columns if column.type == "string"]
    with pq.ParquetWriter(
        file,
        found,
        compression="zstd",
        use_dictionary=texts,
        store_schema=False,
    ) as writer:
        for columns in batches:
            arrays = [
                _column(values, field.type)
                for values, field in zip(columns, found, strict=True)
            ]
            batch = pa.record_batch(arrays, schema=found)
            writer.write_batch(batch, row_group_size=ROWS)
            rows += batch.num_rows
    return rows


def _column(values: Any, kind: Any) -> Any:
    if isinstance(values, pa.Array):
        return values
    if pa.types.is_timestamp(kind):
        # Seconds, in the store.
        seconds = pa.array(values, pa.int64())
        return pc.multiply(seconds, 1000).cast(kind)
    return pa.array(values, kind)


def read(
    path: Path, table: Table, rows: int, columns: Sequence[str] | None = None
) -> Iterator[Any]:
    """Yield record batches of the file, with what *table* says of its columns checked.

    FormatError where the file is not as *table* says, or does not have *rows* rows.
    """
    with _plain_errors(table), pq.ParquetFile(path) as file:
        _check_shape(file, table, rows)
        for batch in file.iter_batches(ROWS // 4, columns=columns):
            batch.validate(full=True)
            _check_cells(batch, table)
            yield batch


def count(path: Path, table: Table) -> int:
    """Return how many rows the file says to have."""
    with _plain_errors(table), pq.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def _check_shape(file: Any, table: Table, rows: int) -> None:
    found = file.schema_arrow.remove_metadata()
    if not found.equals(schema(table)):
        raise FormatError(f"{table.path} has other columns than {table.name} has")
    metadata = file.metadata
    if metadata.num_rows != rows:
        said = f"{metadata.num_rows} rows where crawl.json has {rows}"
        raise FormatError(f"{table.path} has {said}")
    for number in range(metadata.num_row_groups):
        if metadata.row_group(number).total_byte_size > LARGEST_GROUP:
            raise FormatError(f"{table.path} has a row group that is too large")


def _check_cells(batch: Any, table: Table) -> None:
    for column in table.columns:
        if column.name not in batch.schema.names:
            continue
        values = batch.column(column.name)
        if values.null_count and not column.optional:
            raise _wrong(table, column, "an empty cell")
        if column.type == "string":
            longest = pc.max(pc.binary_length(values)).as_py() or 0
            if longest > LONGEST_CELL:
                raise _wrong(table, column, f"a text of {longest} bytes")
        if column.words:
            known = pc.is_in(values, value_set=pa.array([*column.words, None]))
            if not pc.all(known).as_py():
                other = values.filter(pc.invert(known))[0].as_py()
                raise _wrong(table, column, shown(other))


def _wrong(table: Table, column: Column, what: str) -> FormatError:
    return FormatError(f"{table.path} has {what} in its column {column.name}")


@contextmanager
def _plain_errors(table: Table) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        reason = shown(str(error).splitlines()[0] if str(error) else "no memory")
        raise FormatError(
            f"{table.path} is no sound Parquet file ({reason})"
        ) from error
