"""A Spark or a Java that is not there or not the right one: the job fails with the way out in the message, and it is 3."""

import sys

import pytest

from project import CALM, fake_job, toml, write_java, write_program


def failed(project, **options):
    outcome = project.run(**options)
    assert outcome.code == 3
    assert outcome.state("revenue/default") == "job-failed"
    reason = outcome.variant("revenue/default")["reason"]
    assert "\n" not in reason
    [case] = outcome.cases("revenue/default", "error")
    assert case.get("name") == "run"
    assert reason in case.find("error").text
    assert reason in outcome.stdout
    return reason


def app_job(project, more="", spark=""):
    project.write("jobs/revenue.py", "import fake_job, sys\nsys.exit(fake_job.main(sys.argv[1:]))\n")
    project.write("stagegate.toml", f"{spark}\n[jobs.revenue]\napp = 'jobs/revenue.py'\nargs = {toml([CALM])}\n{more}")


def test_an_app_runs_with_the_spark_that_is_there(project):
    app_job(project)
    assert project.run().code == 5


def test_no_spark_anywhere(project):
    app_job(project)
    reason = failed(project, env={"SPARK_HOME": None})
    assert "no Spark" in reason
    for way_out in ("SPARK_HOME", "python", "home", "pip install pyspark"):
        assert way_out in reason


def test_a_home_that_is_not_there(project):
    app_job(project, spark="[spark]\nhome = 'opt/spark'")
    reason = failed(project)
    assert "[spark] home" in reason and "opt/spark" in reason


def test_a_named_spark_is_not_replaced_by_another(project):
    app_job(project)
    reason = failed(project, env={"SPARK_HOME": str(project.root / "nowhere")})
    assert "SPARK_HOME" in reason and "nowhere" in reason


def test_a_home_without_spark_in_it(project):
    (project.root / "opt/spark").mkdir(parents=True)
    app_job(project, spark="[spark]\nhome = 'opt/spark'")
    reason = failed(project)
    assert "opt/spark" in reason and "spark-submit" in reason


def test_a_spark_submit_that_nobody_may_run(project):
    project.write("opt/spark/bin/spark-submit", "#!/bin/sh\n").chmod(0o644)
    app_job(project, spark="[spark]\nhome = 'opt/spark'")
    assert "spark-submit" in failed(project)


def test_a_broken_spark_shows_what_it_said(project):
    write_program(project.spark_home / "bin/spark-submit", "#!/bin/sh\necho 'Failed to find Spark jars directory.' >&2\nexit 1\n")
    app_job(project)
    assert "status 1" in failed(project)
    assert "Failed to find Spark jars directory." in project.run().stdout


def test_a_spark_submit_that_is_no_program(project):
    (project.spark_home / "bin/spark-submit").write_bytes(b"\x7fELF not really")
    app_job(project)
    assert "spark-submit" in failed(project)


def test_a_python_that_is_not_there(project):
    app_job(project, spark="[spark]\npython = '.venv/bin/python'")
    reason = failed(project, env={"SPARK_HOME": None})
    assert ".venv/bin/python" in reason


def test_a_python_without_pyspark(project):
    write_program(project.root / "env/bin/python", f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    app_job(project, spark="[spark]\npython = 'env/bin/python'")
    reason = failed(project, env={"SPARK_HOME": None})
    assert "env/bin/python" in reason and "pyspark" in reason and "pip install" in reason


def test_a_python_that_does_not_work(project):
    write_program(project.root / "env/bin/python", "#!/bin/sh\necho 'error while loading shared libraries' >&2\nexit 127\n")
    app_job(project, spark="[spark]\npython = 'env/bin/python'")
    reason = failed(project, env={"SPARK_HOME": None})
    assert "env/bin/python" in reason and "error while loading shared libraries" in reason


@pytest.mark.parametrize("version", ["11.0.24", "1.8.0_412", "9.0.4"])
def test_a_java_that_is_too_old_for_spark_4(project, version):
    write_java(project.java_home, version)
    app_job(project)
    reason = failed(project)
    assert "4.3.0" in reason and version in reason and "17" in reason and "JAVA_HOME" in reason


@pytest.mark.parametrize("version", ["17.0.15", "21.0.3", "25"])
def test_a_java_that_spark_4_starts_with(project, version):
    write_java(project.java_home, version)
    app_job(project)
    assert project.run().code == 5


@pytest.mark.parametrize("version", ["1.8.0_412", "11.0.24", "17.0.15"])
def test_a_java_that_spark_3_starts_with(project, version):
    write_java(project.java_home, version)
    (project.spark_home / "RELEASE").write_text("Spark 3.5.8 built for Hadoop 3.3.4\n", encoding="utf-8")
    app_job(project)
    assert project.run().code == 5


def test_no_java_at_all(project):
    app_job(project)
    reason = failed(project, env={"JAVA_HOME": None, "PATH": project.path.split(":")[0]})
    assert "Java" in reason and "JAVA_HOME" in reason and "17" in reason


def test_a_java_home_without_java(project):
    app_job(project)
    reason = failed(project, env={"JAVA_HOME": str(project.root / "jdk")})
    assert "JAVA_HOME" in reason and "jdk" in reason


def test_a_java_that_says_nothing_of_use(project):
    write_program(project.java_home / "bin/java", "#!/bin/sh\necho hello\n")
    app_job(project)
    reason = failed(project)
    assert "java" in reason and "hello" in reason


def test_one_variant_without_a_spark_does_not_stop_the_others(project):
    project.write("jobs/revenue.py", "import fake_job, sys\nsys.exit(fake_job.main(sys.argv[1:]))\n")
    project.manifest(f"""
        [jobs.revenue]
        app = "jobs/revenue.py"
        args = {toml([CALM])}
        [variants.other-spark]
        home = "opt/spark"
        [variants.usual]
    """)
    outcome = project.run()
    assert outcome.code == 3
    assert outcome.state("revenue/other-spark") == "job-failed"
    assert outcome.state("revenue/usual") == "no-baseline"


def test_a_dry_run_says_what_is_missing_too(project):
    app_job(project, spark="[spark]\nhome = 'opt/spark'")
    outcome = project.run("--dry-run")
    assert outcome.code == 3
    assert "opt/spark" in outcome.stderr


def test_a_command_gets_the_spark_that_was_named(project):
    project.manifest(f"""
        [spark]
        home = "{project.spark_home}"
        [jobs.revenue]
        command = ["/bin/sh", "-c", "echo SPARK_HOME=$SPARK_HOME >&2; exec python3 jobs/fake_job.py '{CALM}' --exit 9"]
    """)
    outcome = project.run(env={"SPARK_HOME": None})
    assert outcome.code == 3
    assert f"SPARK_HOME={project.spark_home}" in outcome.stdout


def test_a_command_without_a_named_spark_is_started_all_the_same(project):
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {fake_job(CALM)}\n")
    assert project.run(env={"SPARK_HOME": None}).code == 5
