"""A job that behaves as a Spark job does towards whoever started it, in milliseconds: it takes its configuration from
SPARK_CONF_DIR/spark-defaults.conf, writes the event log that a driver would write, and ends as it is told to.

    fake_job.py 'join customers=7x4MiB,40MiB' --records 1000 --exit 3
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlparse

from event_log import Application, Shuffle, write_event_log

UNITS = {None: 1, "kB": 10**3, "MB": 10**6, "KiB": 2**10, "MiB": 2**20}


def parse_sizes(text):
    """'7x4MiB,40MiB': seven tasks of 4 MiB and one of 40."""
    sizes = []
    for part in text.split(","):
        match = re.fullmatch(r"(?:(\d+)x)?(\d+)(kB|MB|KiB|MiB)?", part)
        if not match:
            raise argparse.ArgumentTypeError(f"not a list of sizes: {text}")
        sizes += [int(match[2]) * UNITS[match[3]]] * int(match[1] or 1)
    return sizes


def parse_shuffle(text):
    description, _, sizes = text.partition("=")
    return description, parse_sizes(sizes)


def read_properties(path):
    """A Java properties file, as Spark reads its defaults."""
    properties = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line[0] in "#!":
            continue
        key, value = re.fullmatch(r"((?:\\.|[^\s=:\\])*)\s*[=:]?\s*(.*)", line).groups()
        properties[unescape(key)] = unescape(value)
    return properties


def unescape(text):
    plain = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\(.)", lambda match: plain.get(match[1], match[1]), text)


def log_folder(properties):
    uri = urlparse(properties["spark.eventLog.dir"])
    if uri.scheme not in ("file", "") or uri.netloc:
        sys.exit(f"not a local folder: {properties['spark.eventLog.dir']}")
    folder = Path(unquote(uri.path))
    if not folder.is_dir():
        # Spark does not make it either.
        sys.exit(f"java.io.FileNotFoundException: File {folder} does not exist")
    return folder


def write_logs(options, properties):
    properties = {**properties, **dict(pair.split("=", 1) for pair in options.set)}
    if properties.get("spark.eventLog.enabled") != "true":
        return
    # What this writer cannot write must not be asked of it.
    assert properties.get("spark.eventLog.compress") == "false", properties
    assert properties.get("spark.eventLog.rolling.enabled") == "false", properties
    for number in range(options.applications):
        application = Application(
            shuffles=[Shuffle(description, sizes, records=options.records) for description, sizes in options.shuffles],
            id=f"local-{1_795_980_000_000 + number}",
            spark_version=options.spark_version,
            cores=options.cores,
            properties=properties,
            failed_tasks=options.failed_tasks,
            spilled_bytes=options.spilled_bytes,
            lost_tasks=options.lost_tasks,
            query_error=options.query_error,
            stopped_early=options.stopped_early,
            ended=not options.died,
        )
        write_event_log(log_folder(properties), application, options.cut_bytes)


def sleep(options):
    if options.ignore_term:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A driver has children of its own: Python workers, shells.
    child = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({options.sleep})"])
    marks = Path(options.pids)
    temporary = marks.with_suffix(".new")
    temporary.write_text(f"{os.getpid()} {child.pid}\n", encoding="utf-8")
    temporary.rename(marks)
    deadline = time.monotonic() + options.sleep
    while time.monotonic() < deadline:
        time.sleep(0.2)


def write_much(stream, size):
    """SIZE bytes of output; where it goes to a file nearly all of them are a hole, so that it takes no time."""
    tail = b"".join(b"line %d of a talkative job\n" % number for number in range(40_000))
    try:
        os.ftruncate(stream, size - len(tail))
        os.lseek(stream, 0, os.SEEK_END)
    except OSError:
        for _ in range(size // len(tail)):
            os.write(stream, tail)
    os.write(stream, tail)


def parse_options(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("shuffles", nargs="*", type=parse_shuffle, metavar="DESCRIPTION=SIZES")
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--spark-version", default="4.3.0")
    parser.add_argument("--cores", type=int, default=4)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="what the job's own code sets")
    parser.add_argument("--applications", type=int, default=1)
    parser.add_argument("--failed-tasks", type=int, default=0)
    parser.add_argument("--spilled-bytes", type=int, default=0)
    parser.add_argument("--lost-tasks", type=int, default=0)
    parser.add_argument("--query-error", metavar="MESSAGE", help="of a query with a cancelled stage; empty: the query succeeds")
    parser.add_argument("--stopped-early", action="store_true")
    parser.add_argument("--died", action="store_true", help="leave a log without an application end")
    parser.add_argument("--cut-bytes", type=int, default=0, help="leave a log that lacks these at its end")
    parser.add_argument("--no-log", action="store_true")
    parser.add_argument("--print-file", metavar="FILE", help="whose bytes go to standard error")
    parser.add_argument("--much-error-output", type=int, metavar="BYTES")
    parser.add_argument("--mark", metavar="FILE", help="append a line there: the job was started")
    parser.add_argument("--sleep", type=float)
    parser.add_argument("--pids", default="pids", metavar="FILE", help="where the process ids of a sleeping job are written")
    parser.add_argument("--ignore-term", action="store_true")
    parser.add_argument("--throw", metavar="MESSAGE")
    parser.add_argument("--kill-self", type=int, metavar="SIGNAL")
    parser.add_argument("--exit", type=int, default=0)
    return parser.parse_args(arguments)


def main(arguments):
    options = parse_options(arguments)
    if options.mark:
        with open(options.mark, "a", encoding="utf-8") as marks:
            marks.write("started\n")
    if options.print_file:
        os.write(2, Path(options.print_file).read_bytes())
    if options.much_error_output:
        write_much(2, options.much_error_output)
    if not options.no_log:
        write_logs(options, read_properties(Path(os.environ["SPARK_CONF_DIR"]) / "spark-defaults.conf"))
    if options.sleep:
        sleep(options)
    if options.kill_self:
        os.kill(os.getpid(), options.kill_self)
    if options.throw:
        raise ValueError(options.throw)
    return options.exit


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
