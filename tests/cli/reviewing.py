"""A person in front of `stagegate baseline review`, and what the answers have left."""

import datetime
import tomllib

from terminal import terminal
from work_flow import FILE, document

MANIFEST = "stagegate.toml"
# Of shuffles that move as much as the calm ones, so that their findings are all that differs.
JOIN, SORT = "join customers: join at fake.py (2)", "sort returns: sort at fake.py (2)"
KEYS = "? help"
WRITE = "Write it?"


def pending(project):
    return (project.report_dir / "pending" / FILE).read_bytes()


def accepted(project):
    return [(finding["rule"], finding["stage"], finding["value_thousandths"]) for finding in document(project)["findings"]]


def suppressions(project):
    return tomllib.loads((project.root / MANIFEST).read_bytes().decode("utf-8")).get("suppress", [])


def reviewing(project, *arguments, **options):
    return terminal(project, "baseline", "review", *arguments, **options)


def later(days):
    return datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=days)
