"""The examples of docs/python.md and of the package's docstring do what they say."""

import doctest
import re
from pathlib import Path

import azulejo
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text()


def test_the_examples_of_the_page_run(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 8
    known = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), known)
    printed = capsys.readouterr().out
    assert "did you mean 'azul'?" in printed and "games" in printed


def test_the_example_of_the_docstring_runs():
    assert doctest.testmod(azulejo).attempted > 3 and doctest.testmod(azulejo).failed == 0


@pytest.mark.parametrize("game", ["azul", "summer-pavilion", "queens-garden"])
def test_the_table_of_sizes_is_right(game):
    row = re.search(rf"^\| `{game}` \|(.*)\|$", PAGE, re.MULTILINE)[1]
    sizes = [int(number.replace(",", "")) for number in row.split("|")]
    of = azulejo.Game(game)
    assert sizes == [of.num_actions, of.observation_size, of.num_features, of.num_outputs]


def test_the_page_names_every_array_and_every_exception():
    env = azulejo.BatchEnv("azul")
    with pytest.raises(azulejo.ArrayError) as error:
        env.write(x=1)
    for name in str(error.value).split("known arrays: ")[1].split(", "):
        assert f"`{name}`" in PAGE
    for name in azulejo.errors.__all__:
        assert name in PAGE
