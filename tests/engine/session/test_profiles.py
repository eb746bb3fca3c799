"""Places where runs happen: what is refused, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayescope.engine.problem.errors import SetupError
from bayescope.engine.session.profiles import (
    Profile,
    check,
    find_profile,
    load_profiles,
    profiles_file,
    remove_profile,
    save_profile,
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"host": "me:secret@host"}, "No password"),
        ({"host": "-oProxyCommand=evil"}, "not the name of a host"),
        ({"host": "a b"}, "not the name of a host"),
        ({"host": "x;rm"}, "not the name of a host"),
        ({"host": "me@"}, "not the name of a host"),
        ({"host": "@far"}, "not the name of a host"),
        ({"host": "ssh://far"}, "not the name of a host"),
        ({"host": "far/"}, "not the name of a host"),
        ({"host": "-far"}, "not the name of a host"),
        ({"name": "Here"}, "this computer is called"),
        ({"setup": ("module load gcc", "#SBATCH --qos=long")}, "for the queue and not a command"),
        ({"queue": ""}, "needs the name of its host"),
        ({"folder": ""}, "folder"),
        ({"folder": "runs"}, "must begin with / or ~/"),
        ({"folder": "/a\nb"}, "folder"),
        ({"partition": "a b"}, "partition"),
        ({"account": "x\n#SBATCH --evil"}, "account"),
        ({"minutes": 0.0}, "minute"),
        ({"memory_mb": -5.0}, "memory"),
        ({"cores": 0}, "cores"),
        ({"at_once": 65}, "64"),
        ({"setup": ("a\nb",)}, "set-up lines"),
        ({"name": "../x"}, "name of a place"),
        ({"name": ""}, "name of a place"),
        ({"queue": "", "host": "far", "pilot": True}, "queues"),
    ],
)
def test_what_cannot_be_a_place_is_refused_with_a_sentence_and_not_kept(changes: dict[str, object], words: str) -> None:
    profile = Profile(**{"name": "box", **changes})
    assert any(words in said for said in check(profile)), check(profile)
    with pytest.raises(SetupError, match="cannot be used"):
        save_profile(profile)
    assert load_profiles() == []


@pytest.mark.parametrize("host", ["far", "me@far", "me@uni.example@login.example.org", "10.0.0.7", "a_b-c"])
def test_what_follows_ssh_in_a_terminal_is_a_host(host: str) -> None:
    assert check(Profile(name="box", host=host, setup=("# a comment", "module load gcc"))) == []


def test_with_pilots_a_quarter_more_points_than_jobs_are_asked_for_and_never_more_than_the_most() -> None:
    asked = {n: Profile(name="box", at_once=n, pilot=True).points_at_once for n in (1, 3, 4, 16, 32, 60, 64)}
    assert asked == {1: 1, 3: 3, 4: 5, 16: 20, 32: 40, 60: 64, 64: 64}
    assert Profile(name="box", at_once=32).points_at_once == 32


def test_places_are_kept_by_name_and_found_again() -> None:
    far = Profile(name="far", host="me@login.example.org", setup=("module load gcc",), minutes=90.0)
    save_profile(far)
    save_profile(Profile(name="Box", folder="/scratch/my runs/ä"))
    save_profile(Profile(name="far", host="other"))
    assert [p.name for p in load_profiles()] == ["Box", "far"]
    assert find_profile("far").host == "other"
    remove_profile("far")
    with pytest.raises(SetupError, match=r"no place called “far” on this computer\. Known places: “Box”"):
        find_profile("far")


def test_a_list_that_cannot_be_read_is_said_and_left_alone() -> None:
    profiles_file().parent.mkdir(parents=True)
    profiles_file().write_text('[{"name": 3}]')
    with pytest.raises(SetupError, match="cannot be read"):
        load_profiles()
    with pytest.raises(SetupError, match="cannot be read"):
        save_profile(Profile(name="new"))
    assert profiles_file().read_text() == '[{"name": 3}]'
