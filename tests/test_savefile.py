"""The playground's file: whole or not at all, and never over something else."""

import json
import os
import stat

import pytest

from rq.history import History
from rq.savefile import SaveError, SaveFile

R = ("reserve",)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.json"


def with_calls(count):
    history = History(1)
    for _ in range(count):
        history.call(R)
    return history


def test_what_is_stored_is_taken_up_again(path):
    file = SaveFile(path)
    assert file.load() is None
    file.store(with_calls(2))
    assert SaveFile(path).load().to_dict() == with_calls(2).to_dict()
    file.store(with_calls(3))
    assert SaveFile(path).load().index == 3


def test_nothing_else_is_left_in_the_folder(path):
    SaveFile(path).store(with_calls(2))
    assert os.listdir(path.parent) == ["mine.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"capacity": 1, "ops": []}', "it is no playground's history"),
        (b"my notes\n", "not JSON"),
        (b"\xff\xfe", "the text is not UTF-8"),
        (json.dumps(with_calls(2).to_dict()).encode()[:-20], "not JSON"),
        (json.dumps({**with_calls(2).to_dict(), "index": 9}).encode(), "index must be a whole number from 0 to 2"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_or_foreign_file_is_left_as_it_is(path, content, said):
    path.write_bytes(content)
    file = SaveFile(path)
    with pytest.raises(SaveError) as raised:
        file.load()
    assert str(raised.value).startswith("mine.json cannot be taken up: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(SaveError, match=r"mine\.json was changed by something else"):
        file.store(with_calls(1))
    assert path.read_bytes() == content


def test_a_file_that_was_not_looked_at_is_not_overwritten(path):
    SaveFile(path).store(with_calls(2))
    with pytest.raises(SaveError, match="changed by something else"):
        SaveFile(path).store(with_calls(1))
    assert SaveFile(path).load().index == 2


def test_two_who_use_one_file_do_not_overwrite_each_other(path):
    one, two = SaveFile(path), SaveFile(path)
    one.load(), two.load()
    one.store(with_calls(1))
    with pytest.raises(SaveError, match="perhaps by another playground"):
        two.store(with_calls(5))
    one.store(with_calls(2))
    assert SaveFile(path).load().index == 2


def test_a_file_that_was_deleted_is_written_anew(path):
    file = SaveFile(path)
    file.store(with_calls(1))
    path.unlink()
    file.store(with_calls(2))
    assert SaveFile(path).load().index == 2


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_crash_while_writing_leaves_the_old_file(path, monkeypatch, broken):
    file = SaveFile(path)
    file.store(with_calls(1))

    def fail(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(SaveError, match=r"mine\.json cannot be written: no space left on device"):
        file.store(with_calls(2))
    monkeypatch.undo()
    assert os.listdir(path.parent) == ["mine.json"]
    assert SaveFile(path).load().index == 1
    file.store(with_calls(3))
    assert SaveFile(path).load().index == 3


def test_an_interrupt_while_writing_leaves_the_old_file(path, monkeypatch):
    file = SaveFile(path)
    file.store(with_calls(1))

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        file.store(with_calls(2))
    assert os.listdir(path.parent) == ["mine.json"]
    assert SaveFile(path).load().index == 1


def test_a_folder_that_is_not_there_or_a_folder_in_the_files_place(path):
    with pytest.raises(SaveError, match=r"mine\.json cannot be written: no such file or directory"):
        SaveFile(path.parent / "none" / "mine.json").store(with_calls(1))
    path.mkdir()
    with pytest.raises(SaveError, match=r"mine\.json cannot be (read|written)"):
        SaveFile(path).load()


def test_a_link_stays_a_link(path, tmp_path):
    real = tmp_path / "real.json"
    try:
        path.symlink_to(real)
    except OSError:
        pytest.skip("this system makes no links")
    SaveFile(path).store(with_calls(1))
    assert path.is_symlink()
    assert SaveFile(real).load().index == 1


def test_a_file_that_may_not_be_written_to_is_left_as_it_is(path):
    file = SaveFile(path)
    file.store(with_calls(1))
    path.chmod(stat.S_IRUSR)
    with pytest.raises(SaveError, match=r"mine\.json may not be written to"):
        file.store(with_calls(2))
    assert SaveFile(path).load().index == 1
    assert os.listdir(path.parent) == ["mine.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file_to_save_in(path):
    os.mkfifo(path)
    with pytest.raises(SaveError, match=r"mine\.json is no file to save in"):
        SaveFile(path).load()


@pytest.mark.parametrize("name", [None, 3, 1.5, object()])
def test_what_is_no_name_of_a_file_is_a_mistake(name):
    with pytest.raises(TypeError, match="save must be the name of a file"):
        SaveFile(name)


def test_a_name_with_a_zero_byte_is_a_mistake():
    with pytest.raises(ValueError, match="save must be the name of a file"):
        SaveFile("a\0b")


def test_a_file_that_is_far_too_large_is_not_read(path, monkeypatch):
    monkeypatch.setattr("rq.savefile.MOST_BYTES", 10)
    path.write_bytes(b"x" * 11)
    with pytest.raises(SaveError, match=r"mine\.json is too large to be a playground's history"):
        SaveFile(path).load()


def test_the_mode_of_the_file_stays(path):
    file = SaveFile(path)
    file.store(with_calls(1))
    path.chmod(0o640)
    before = stat.S_IMODE(path.stat().st_mode)
    file.store(with_calls(2))
    assert stat.S_IMODE(path.stat().st_mode) == before
