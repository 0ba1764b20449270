"""Records: files as they come from runs, their replay and their tables."""

import json
from pathlib import Path

import azulejo
import numpy as np
import pandas
import pyarrow
import pytest
from azulejo.records import decision_batches, decisions

RESULTS = Path(__file__).parents[2] / "results"
FILE = RESULTS / "equal-time" / "neural-azul-2" / "games.jsonl.zst"


def first(count, path=FILE):
    return [record for record, _ in zip(azulejo.read_records(path), range(count))]


def test_records_of_runs_are_read_and_replay_to_their_results():
    files = sorted(RESULTS.glob("equal-time/*/games.jsonl.zst"))
    assert len(files) > 5
    for path in files:
        for record in first(2, path):
            record.verify()
            state = record.final_state()
            assert state.history == record.moves == record["moves"] and state.scores == record.scores
            assert state.is_over and state.wins == pytest.approx(record.wins)
            replayed = list(record.replay())
            assert [move for _, move in replayed] == record.moves
            assert replayed[0][0] == azulejo.Game(record.spec, record.players).new_initial_state()


def test_plain_and_compressed_files_are_the_same(tmp_path):
    records = first(5)
    plain = tmp_path / "games.jsonl"
    plain.write_text("".join(record.to_line() + "\n" for record in records))
    assert list(azulejo.read_records(plain)) == records
    assert list(azulejo.read_records(str(plain))) == records


def test_a_record_has_its_keys_as_attributes():
    record = first(1)[0]
    assert (record.game, record.players, record.end) == (record["game"], 2, "finished")
    assert record.rules is None and record.reason is None
    with pytest.raises(AttributeError, match="no key 'move'"):
        record.move


def test_changed_rules_are_part_of_the_spec(tmp_path):
    record = azulejo.Record(first(1)[0], rules={"column_bonus": 10})
    path = tmp_path / "games.jsonl"
    path.write_text(record.to_line() + "\n")
    read = next(azulejo.read_records(path))
    assert read.spec == 'azul:rules={"column_bonus":10}' and read.rules == {"column_bonus": 10}


def test_what_is_no_record_is_named_with_its_line(tmp_path):
    with pytest.raises(azulejo.RecordError, match="nothing.jsonl"):
        azulejo.read_records("nothing.jsonl")
    path = tmp_path / "games.jsonl"
    path.write_text(first(1)[0].to_line() + "\n{}\n")
    lines = azulejo.read_records(path)
    next(lines)
    with pytest.raises(azulejo.RecordError, match="line 2: not a game record"):
        next(lines)
    wrong = azulejo.Record(first(1)[0], scores=[1, 2])
    with pytest.raises(azulejo.RecordError, match="scores: recorded"):
        wrong.verify()


def test_decisions_are_rows():
    records = first(3)
    table = decisions(records, features=True)
    rows = [
        (record.index, ply, state, move)
        for record in records
        for ply, (state, move) in enumerate(record.replay())
        if not state.is_chance
    ]
    assert len(rows) == len(table["game"]) > 100
    for number, (game, ply, state, move) in enumerate(rows):
        row = {name: column[number] for name, column in table.items() if len(column) == len(rows)}
        assert (row["game"], row["ply"], row["token"], row["seat"]) == (game, ply, move, state.turn)
        assert row["action"] == state.game.action_index(move) and row["round"] == state.round
        assert row["output"] in state.legal_outputs() and row["score"] == state.scores[state.turn]
        begin, end = table["features_starts"][number : number + 2]
        assert table["features"][begin:end].tolist() == state.features()
    last = {record.index: record for record in records}
    for game, seat, points, share in zip(*(table[name] for name in ("game", "seat", "final_score", "win"))):
        assert points == last[game].scores[seat] and share == last[game].wins[seat]


def test_tables_are_taken_by_pandas_and_arrow():
    table = decisions(first(2))
    frame, arrow = pandas.DataFrame(table), pyarrow.table(table)
    assert len(frame) == arrow.num_rows == len(table["game"]) and list(frame) == arrow.column_names
    assert frame["seat"].dtype == np.int8 and frame["token"][0] == table["token"][0]
    assert frame.groupby("game")["win"].count().sum() == len(frame)


def test_searches_are_rows_too(tmp_path):
    record = first(1)[0]
    ply = next(ply for ply, (state, _) in enumerate(record.replay()) if state.turn == 1)
    analysis = [None] * len(record.moves)
    analysis[ply] = {"values": [-0.25, 0.25], "visits": [[record.moves[ply], 7], ["x", 3]]}
    path = tmp_path / "games.jsonl"
    path.write_text(azulejo.Record(record, analysis=analysis).to_line() + "\n")
    table = decisions(azulejo.read_records(path))
    row = table["ply"].tolist().index(ply)
    assert (table["visits"][row], table["value"][row]) == (10, 0.25)
    assert np.isnan(table["value"]).sum() == len(table["value"]) - 1


def test_games_of_two_kinds_make_no_table():
    other = next(azulejo.read_records(RESULTS / "equal-time" / "neural-queens-garden-2" / "games.jsonl.zst"))
    with pytest.raises(ValueError, match="found a game of queens-garden"):
        decisions([*first(1), other])


def test_lines_are_what_the_program_writes():
    record = first(1)[0]
    assert json.loads(record.to_line()) == record and "\n" not in record.to_line()


@pytest.mark.parametrize("run", ["neural-azul-2", "azul-3", "queens-garden-3", "neural-summer-pavilion-2"])
def test_chance_is_drawn_as_the_program_has_drawn_it(run):
    for record in first(4, RESULTS / "equal-time" / run / "games.jsonl.zst"):
        # Games in which the same agents change seats share their deals.
        block = record.index // record.players
        drawn = [
            (state.sample_chance(record.seed, block), move) for state, move in record.replay() if state.is_chance
        ]
        assert len(drawn) >= 5 and all(ours == theirs for ours, theirs in drawn)


def test_batches_of_decisions_are_the_decisions():
    records = first(25)
    whole, parts = decisions(records), list(decision_batches(iter(records), games=10))
    assert [len(set(part["game"])) for part in parts] == [10, 10, 5]
    for name, column in whole.items():
        np.testing.assert_array_equal(column, np.concatenate([part[name] for part in parts]))
    assert set(whole["game"][whole["held_out"]]) == {game for game in whole["game"] if game % 20 == 19} != set()
    with pytest.raises(azulejo.SpecError, match="games: found 0, expected at least 1"):
        next(decision_batches(records, games=0))
