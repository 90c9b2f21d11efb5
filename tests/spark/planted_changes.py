#!/usr/bin/env python3
"""Plants changes in the example and looks what the gate says of each: docs/planted-changes.md is what came out.

    tests/spark/planted_changes.py [--change GLOB]... [--variant GLOB]  fails where a change is silent, or the page says otherwise
    tests/spark/planted_changes.py --write                              writes the page
    tests/spark/planted_changes.py --list                               names the changes
    tests/spark/planted_changes.py --keep FOLDER ...                    leaves copies, baselines and reports in a new FOLDER

The binary is $STAGEGATE, else build/release/src/stagegate. All of it takes about a quarter of an hour on two cores.
"""
from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from changes import CHANGES, EVERY_VARIANT, Base, Change
from example import VARIANTS, binary_in, copy_example, example_data, spark_in
from gate import Gate
from installed import ROOT, SPARK_4
from planted_page import PAGE, Cell, cell_of, page, row

SIDE_BY_SIDE = 2

Key = tuple[Change, str]


@dataclass(frozen=True)
class Runs:
    """Where bases and changed jobs lie, and what runs them."""

    folder: Path
    gate: Gate

    def of_base(self, base: Base) -> Path:
        return self.folder / "bases" / folder_name(base.name) / "examples"

    def of_change(self, change: Change) -> Path:
        return self.folder / "changes" / folder_name(change.name) / "examples"

    def prepare_base(self, base: Base) -> None:
        example = copy_example(self.of_base(base).parent, data_with(base.guest_percent), "baselines")
        for edit in (EVERY_VARIANT, *base.edits):
            edit.apply(example)

    def prepare_change(self, change: Change) -> None:
        """A copy of the base with what it accepted, and the change."""
        example = self.of_change(change)
        shutil.copytree(self.of_base(change.base).parent, example.parent, symlinks=True, ignore=shutil.ignore_patterns("reports"))
        (example / "data").unlink()
        (example / "data").symlink_to(data_with(change.data_percent))
        for edit in change.edits:
            edit.apply(example)

    def accept(self, base: Base, variant: str) -> None:
        words = ("--job", base.job, "--variant", variant, "--report-dir", f"reports/{variant}")
        self.gate(self.of_base(base), "run", *words, exit_code=5)
        self.gate(self.of_base(base), "baseline", "accept", *words, exit_code=0)

    def judge(self, change: Change, variant: str) -> Cell:
        example, report_dir = self.of_change(change), f"reports/{variant}"
        words = ("--job", change.base.job, "--variant", variant, "--report-dir", report_dir)
        code, _, messages = self.gate.ended(example, "run", *words)
        if code in (2, 70, 74, 130, 143):
            raise SystemExit(f"{change.name}, {variant}: ended with {code}\n{messages}")
        before = self.gate.report_of_run(self.of_base(change.base) / report_dir, change.base.job, variant)
        after = self.gate.report_of_run(example / report_dir, change.base.job, variant)
        return cell_of(code, example / report_dir, before, after, change.harmless.get(variant))


def folder_name(name: str) -> str:
    return re.sub("[^a-z0-9]+", "-", name)


def data_with(guest_percent: int) -> Path:
    return example_data(spark_in(SPARK_4), guest_percent)


def run_all(runs: Runs, keys: list[Key]) -> dict[Key, Cell]:
    bases = {(change.base, variant): None for change, variant in keys}
    for base in {base: None for base, _ in bases}:
        runs.prepare_base(base)
    in_pairs(lambda key: runs.accept(*key), bases)
    for change in {change.name: change for change, _ in keys}.values():
        runs.prepare_change(change)

    def judge(key: Key) -> Cell:
        cell = runs.judge(*key)
        print(row(key[0].name, key[1], cell), flush=True)
        return cell

    return dict(zip(keys, in_pairs(judge, keys), strict=True))


def in_pairs(work: Callable, keys: Iterable) -> list:
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        return list(pool.map(work, keys))


def complaints(cells: dict[Key, Cell], written: str, whole: bool) -> list[str]:
    """What is silent without a reason, and where the page says otherwise."""
    found = [f"silent: {change.name}, {variant}" for (change, variant), cell in cells.items() if cell.is_silent]
    rows = [row(change.name, variant, cell) for (change, variant), cell in cells.items()]
    lines = written.splitlines()
    found += [f"{PAGE.name} has no such row: {line}" for line in rows if line not in lines]
    if whole and written != page(cells):
        found.append(f"{PAGE.name} is not what came out: write it with --write, and look at the difference")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Plants changes in the example and looks what the gate says of each.")
    parser.add_argument("--change", action="append", metavar="GLOB", help="only changes that fit this pattern; may be given several times")
    parser.add_argument("--variant", default="*", metavar="GLOB", help="only variants that fit this pattern")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--list", action="store_true", help="name the changes")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave copies, baselines and reports in a new FOLDER")
    args = parser.parse_args()
    keys = [(change, variant) for change in CHANGES for variant in VARIANTS]
    names = {change.name for change in CHANGES if any(fnmatch(change.name, glob) for glob in args.change or ["*"])}
    chosen = [key for key in keys if key[0].name in names and fnmatch(key[1], args.variant)]
    if args.list:
        print("\n".join(change.name for change in CHANGES))
        return
    if not chosen or (args.write and chosen != keys):
        parser.error("nothing fits" if not chosen else "the page is written whole")
    with tempfile.TemporaryDirectory(prefix="planted-changes-") as folder:
        cells = run_all(Runs((args.keep or Path(folder)).resolve(), Gate(binary_in("release"))), chosen)
    if args.write:
        PAGE.write_text(page(cells))
    if found := complaints(cells, PAGE.read_text() if PAGE.is_file() else "", whole=chosen == keys):
        sys.exit("\n".join(found))
    print(f"{len(cells)} cells: none is silent without a reason, and {PAGE.name} says the same")


if __name__ == "__main__":
    main()
