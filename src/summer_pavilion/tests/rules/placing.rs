//! Placing tiles and paying for them.

use super::*;

#[test]
fn example_a_six_blue_tiles_for_slot_6() {
    let mut game = placing("BBBBBBB", json!({}));
    play(&mut game, "B6B0");
    assert_eq!((score(&game, 0), depot(&game).as_str(), hand(&game, 0).as_str()), (6, "BBBBB", "B"));
}

#[test]
fn example_b_a_tile_without_filled_neighbors_scores_1() {
    let mut game = placing("RRR", json!({"R": "R....R"}));
    play(&mut game, "R3R0");
    assert_eq!(score(&game, 0), 6);
}

#[test]
fn example_c_three_wild_tiles_complete_the_payment() {
    let mut game = position(json!({
        "supply": "OORRBBYYGG", "boards": [{"hand": "BBBPPP", "stars": {"B": "...BB."}}],
    }));
    play(&mut game, "B6B3");
    assert_eq!((score(&game, 0), depot(&game).as_str(), hand(&game, 0).as_str()), (8, "BBPPP", ""));
    assert_eq!((game.phase(), game.owed()), (Phase::Bonus, 3));
}

#[test]
fn example_d_a_run_joins_on_both_sides() {
    let mut game = placing("OPPP", json!({"O": "..O.O."}));
    play(&mut game, "O4O3");
    assert_eq!((score(&game, 0), depot(&game).as_str()), (8, "PPP"));
}

#[test]
fn example_e_the_wild_color_is_paid_in_wild_tiles_only() {
    let mut game = placing("PP", json!({"P": "P.P..."}));
    play(&mut game, "P2P0");
    assert_eq!((score(&game, 0), depot(&game).as_str()), (8, "P"));
    assert_eq!(game.board(Seat::new(0)).color_at(Slot::new(5, 1)), Some(Color::Purple));
}

#[test]
fn at_least_one_tile_has_the_color_and_the_rest_may_be_wild_in_any_mix() {
    let game = placing("BBBPPP", json!({}));
    assert_eq!(legal_at(&game, "B1"), "B1B0");
    assert_eq!(legal_at(&game, "B4"), "B4B1 B4B2 B4B3");
    assert_eq!(legal_at(&game, "B6"), "B6B3");
    assert_eq!(legal_at(&game, "C3"), "C3B0 C3B1 C3B2 C3P0");
    assert_eq!(legal_at(&game, "P"), "P1P0 P2P0 P3P0");
    assert_eq!(refusal(&game, "B3B3"), "at least one of the tiles paid must have the color that is placed");
    assert_eq!(refusal(&game, "B6B2"), "the hand holds too few tiles of that color");
    assert_eq!(refusal(&placing("BBBBP", json!({})), "B5B2"), "the hand holds too few wild tiles");
    assert_eq!(
        refusal(&game, "P2P1"),
        "a tile of the wild color is paid in its own color: write 0 wild tiles"
    );
    assert_eq!(refusal(&game, "done"), "a tile must be placed, or the player must pass");
}

/// Every color on every slot in every mix, as far as a hand can pay at all.
#[test]
fn the_most_actions_that_are_legal_at_once() {
    let game = gray_placing(&"ORBYGP".repeat(6), json!({}));
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    assert_eq!(legal.len(), SummerPavilion::MAX_LEGAL);
    let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
    let mut drawn = vec![false; legal.len()];
    for _ in 0..20 * legal.len() {
        drawn[legal.binary_search(&game.random_action(&mut rng, &mut buffer)).unwrap()] = true;
    }
    assert!(drawn.into_iter().all(|drawn| drawn));
}

#[test]
fn wild_tiles_alone_place_only_their_own_color() {
    assert_eq!(legal_at(&placing("PPPPPP", json!({})), "B"), "");
}

#[test]
fn colored_side_an_outer_star_takes_its_own_color_only() {
    let game = placing("BBR", json!({}));
    assert_eq!(legal(&game), "R1R0 B1B0 B2B0 C1R0 C1B0 C2B0 pass");
    assert_eq!(refusal(&game, "R1B0"), "that star does not take this color");
}

#[test]
fn colored_side_the_center_takes_each_color_once() {
    let game = placing("BBR", json!({"C": "...B.."}));
    assert_eq!(legal_at(&game, "C"), "C1R0");
    assert_eq!(refusal(&game, "C1B0"), "that star does not take this color");
    assert_eq!(refusal(&game, "C4R3"), "that slot holds a tile already");
}

#[test]
fn colored_side_the_slot_number_is_the_cost() {
    let costs: Vec<u8> = Slot::all().map(|slot| BoardSide::Colored.cost(slot)).collect();
    assert_eq!(costs, [1, 2, 3, 4, 5, 6].repeat(7));
}

#[test]
fn gray_side_costs() {
    let costs: Vec<u8> = Slot::all().map(|slot| BoardSide::Gray.cost(slot)).collect();
    assert_eq!(costs[..36], [3, 2, 1, 4, 5, 6].repeat(6));
    assert_eq!(costs[36..], [3; 6]);
    let mut game = gray_placing("RRRB", json!({}));
    assert_eq!(legal_at(&game, "O"), "O1R0 O2R0 O3R0 O3B0");
    play(&mut game, "Y1R0");
    assert_eq!((depot(&game).as_str(), score(&game, 0)), ("RR", 6));
}

#[test]
fn gray_side_a_star_with_fewer_than_two_tiles_takes_any_color() {
    let game = gray_placing("ORBYG", json!({"B": "....R."}));
    assert_eq!(legal_at(&game, "O3"), "O3O0 O3R0 O3B0 O3Y0 O3G0");
    assert_eq!(legal_at(&game, "B3"), "B3O0 B3R0 B3B0 B3Y0 B3G0");
}

#[test]
fn gray_side_two_equal_tiles_bind_a_star_to_their_color() {
    let game = gray_placing("ORBYG", json!({"B": "...RR.", "C": "YYY..."}));
    assert_eq!(legal_at(&game, "B3"), "B3R0");
    assert_eq!(legal_at(&gray_placing("YYYOOO", json!({"C": "YYY..."})), "C"), "C4Y0 C5Y0 C6Y0");
    assert_eq!(refusal(&game, "B3G0"), "that star does not take this color");
}

#[test]
fn gray_side_two_different_tiles_bind_a_star_to_different_colors() {
    let game = gray_placing("ORBYG", json!({"B": "...RG."}));
    assert_eq!(legal_at(&game, "B3"), "B3O0 B3B0 B3Y0");
}

#[test]
fn the_ring_wraps() {
    let mut game = placing("B", json!({"B": ".B..BB"}));
    play(&mut game, "B1B0");
    assert_eq!(score(&game, 0), 9);
    let mut game = placing("RRRR", json!({"R": "RRR.RR"}));
    play(&mut game, "R4R0");
    assert_eq!(score(&game, 0), 11, "the sixth tile of a star scores 6");
}
