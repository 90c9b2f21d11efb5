"""Changes that a pull request could bring to the example, each as an edit of copied files or as other data."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from example import GUEST_PERCENT, VARIANTS, change


@dataclass(frozen=True)
class Edit:
    """One place of a file of examples/, which must be there once."""

    file: str
    before: str
    after: str

    def apply(self, example: Path) -> None:
        change(example / self.file, self.before, self.after)

    def undone(self) -> Edit:
        return Edit(self.file, self.after, self.before)


@dataclass(frozen=True)
class Base:
    """A job of the example as it was accepted, under all variants."""

    name: str
    job: str
    edits: tuple[Edit, ...] = ()
    guest_percent: int = GUEST_PERCENT


@dataclass(frozen=True)
class Change:
    name: str
    base: Base
    edits: tuple[Edit, ...] = ()
    guest_percent: int | None = None
    # Variants under which nothing needs to be said, and why. All others must say something.
    harmless: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def data_percent(self) -> int:
        return self.base.guest_percent if self.guest_percent is None else self.guest_percent

    def description(self) -> str:
        if self.guest_percent is not None:
            return f"customer 0 gets {self.guest_percent} % of the orders, which had none"
        return "; ".join(described(edit) for edit in self.edits) or "nothing"


def described(edit: Edit) -> str:
    before, after = (" ".join(text.split()) for text in (edit.before, edit.after))
    return f"`{edit.file}`: `{before}` becomes `{after}`"


REVENUE, SECTIONS, MANIFEST = "jobs/revenue.py", "jobs/sections.py", "stagegate.toml"

EVERY_VARIANT = Edit(MANIFEST, 'app = "jobs/sections.py"\nvariants = ["adaptive"]\n', 'app = "jobs/sections.py"\n')


def in_manifest(value: int) -> str:
    return f'[defaults.conf]\n"spark.sql.shuffle.partitions" = {value}\n'


TWO_HUNDRED = Edit(MANIFEST, "[defaults.conf]\n", in_manifest(200))
FOUR_HUNDRED = Edit(MANIFEST, in_manifest(200), in_manifest(400))
SESSION = '"revenue by country").getOrCreate()\n'
SET_IN_CODE = Edit(REVENUE, SESSION, SESSION + 'spark.conf.set("spark.sql.shuffle.partitions", 400)\n')

JOIN = 'orders.join(customers, "customer_id")'
BROADCAST = Edit(REVENUE, JOIN, 'orders.join(F.broadcast(customers), "customer_id")')
SUM = '.agg(F.sum(F.col("amount") + F.col("delivery")).alias("revenue"))\n'
ONE_COLUMN_MORE = SUM.replace(")\n", ', F.max("order_id").alias("last_order"))\n')
SORTED_RESULT = Edit(REVENUE, SUM, SUM + '    .orderBy("country_id")\n')
BY_KEY = Edit(REVENUE, JOIN, JOIN.replace("orders.", 'orders.repartition("customer_id").'))
BY_NUMBER = Edit(REVENUE, JOIN, JOIN.replace("orders.", "orders.repartition(40)."))
ORDERS = '.where("customer_id <> 0").cache()'
SUMS_BY_CUSTOMER = 'F.sum("amount").alias("revenue"))\n'

PLAIN = Base("revenue", "revenue")
NO_GUEST = Base("revenue, no guest", "revenue", guest_percent=0)
HINTED = Base("revenue, customers broadcast", "revenue", (BROADCAST,))
WITH_200 = Base("revenue, 200 in the manifest", "revenue", (TWO_HUNDRED,))
IN_SECTIONS = Base("sections", "sections")


ADAPTIVE = ("adaptive-no-skew-fix", "adaptive")
# Why a change does no harm under a variant. What costs something and is not seen has no reason here: it is silent.
MERGED = "adaptive execution merges partitions to tasks of 1 MiB, and this key's rows are no more than that"
MERGED_AGAIN = "adaptive execution merges 400 partitions to the tasks to which it merges 200"
THIRTY_ROWS = "adaptive execution sorts 30 rows in one task"
JOIN_SHUFFLES = "the join shuffles by the same key, and takes this shuffle for its own"


def heavy_key(percent: int, *harmless: str) -> Change:
    return Change(f"a key with {percent} % of the rows", NO_GUEST, guest_percent=percent, harmless=dict.fromkeys(harmless, MERGED))


CHANGES = (
    Change("nothing", PLAIN, harmless=dict.fromkeys(VARIANTS, "nothing was changed")),
    heavy_key(2, *ADAPTIVE),
    heavy_key(5, *ADAPTIVE),
    heavy_key(10, "adaptive-no-skew-fix"),
    heavy_key(30),
    heavy_key(64),
    Change("a column more through the join", PLAIN, (Edit(REVENUE, SUM, ONE_COLUMN_MORE),)),
    Change("a filter lost", IN_SECTIONS, (Edit(SECTIONS, ORDERS, ".cache()"),)),
    Change("400 shuffle partitions, in the manifest", WITH_200, (FOUR_HUNDRED,)),
    Change("400 shuffle partitions, in the code", PLAIN, (SET_IN_CODE,), harmless=dict.fromkeys(ADAPTIVE, MERGED_AGAIN)),
    Change("400 shuffle partitions, in the code against the manifest", WITH_200, (SET_IN_CODE,)),
    Change("a broadcast lost", HINTED, (BROADCAST.undone(),)),
    Change("a cache lost that is read twice", IN_SECTIONS, (Edit(SECTIONS, ORDERS, ORDERS.removesuffix(".cache()")),)),
    Change("a cache lost behind a join", IN_SECTIONS, (Edit(SECTIONS, f"{SUMS_BY_CUSTOMER}        .cache()\n", SUMS_BY_CUSTOMER),)),
    Change("a sort of the orders", IN_SECTIONS, (Edit(SECTIONS, ORDERS, ORDERS.replace(".cache", '.orderBy("amount").cache')),)),
    Change("a sort of the result", PLAIN, (SORTED_RESULT,), harmless=dict.fromkeys(ADAPTIVE, THIRTY_ROWS)),
    Change("a repartition by the join's key", PLAIN, (BY_KEY,), harmless=dict.fromkeys(VARIANTS[:2], JOIN_SHUFFLES)),
    Change("a repartition by number", PLAIN, (BY_NUMBER,)),
)
