"""The output of benchmarks: Markdown tables and aims, readable in a terminal and stored in `results.md`."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; the first column has names, the others have figures."""
    rows = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = (
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join([first, *others])} |"

    print()
    print(line(heads))
    print(f"|{'-' * (widths[0] + 2)}|" + "".join(f"{'-' * (width + 1)}:|" for width in widths[1:]))
    for row in rows:
        print(line(row))
    print()


def aim(what: str, measured: float, *, at_least: float | None = None, at_most: float | None = None) -> None:
    """Print a figure, its aim, and whether it is reached."""
    bound = f"at least {at_least:,g}" if at_least is not None else f"at most {at_most:,g}"
    reached = measured >= at_least if at_least is not None else measured <= (at_most or 0)
    # More than three digits are not reproducible on a shared machine.
    figure = f"{measured:,.0f}" if abs(measured) >= 100 else f"{measured:.3g}"
    print(f"- {'reached' if reached else '**not reached**'}: {what}: {figure} (aim: {bound})")
