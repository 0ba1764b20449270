//! One test for each sentence of the rules.

use serde_json::{Value, json};

use super::position::{json_of, legal, legal_at, play, position, refusal, rules};
use super::*;
use crate::Seat;

fn score(game: &SummerPavilion, seat: usize) -> i16 {
    game.scores()[Seat::new(seat)]
}

/// A position in which seat 0 holds `hand`, with these stars already filled.
fn placing(hand: &str, stars: Value) -> SummerPavilion {
    position(json!({"boards": [{"hand": hand, "stars": stars}]}))
}

fn gray_placing(hand: &str, stars: Value) -> SummerPavilion {
    position(json!({"game": "summer-pavilion:gray", "boards": [{"hand": hand, "stars": stars}]}))
}

fn hand(game: &SummerPavilion, seat: usize) -> String {
    game.board(Seat::new(seat)).hand().letters(LETTERS).to_string()
}

fn depot(game: &SummerPavilion) -> String {
    game.depot().letters(LETTERS).to_string()
}

mod setup {
    use super::*;

    #[test]
    fn the_supply_is_filled_before_the_factories() {
        for players in 2..=4 {
            let mut game = SummerPavilion::new(rules("summer-pavilion"), players);
            let mut rng = Generator::new(players as u64);
            assert_eq!((game.turn(), game.phase()), (Turn::Chance, Phase::Supply));
            let supply = game.sample_chance(&mut rng);
            assert!(matches!(supply, Outcome::Supply(tiles) if tiles.total() == 10), "{supply}");
            game.apply_chance(&supply);
            assert_eq!(game.phase(), Phase::Deal);
            let deal = game.sample_chance(&mut rng);
            let Outcome::Deal(factories) = deal else { panic!("{deal}") };
            assert_eq!(factories.factories().len(), [5, 7, 9][players - 2]);
            assert!(factories.factories().iter().all(|factory| factory.total() == 4));
            game.apply_chance(&deal);
            assert_eq!((game.turn(), game.wild()), (Turn::Player(Seat::new(0)), Color::Purple));
        }
    }

    #[test]
    fn there_are_22_tiles_of_each_color_and_everybody_begins_with_5_points() {
        let game = SummerPavilion::new(rules("summer-pavilion"), 3);
        assert_eq!(game.bag().counts(), [22; COLORS]);
        assert_eq!(game.scores().as_slice(), [5, 5, 5]);
    }

    #[test]
    fn the_wild_color_follows_the_order_of_the_variant() {
        let order =
            |spec: &str| -> String { (1..=6).map(|round| rules(spec).wild(round).letter()).collect() };
        assert_eq!(order("summer-pavilion"), "PGOYBR");
        assert_eq!(order("summer-pavilion:alternate"), "ORBYGP");
        assert_eq!(order("summer-pavilion:gray,wilds=RPGOYB"), "RPGOYB");
    }
}

mod acquiring {
    use super::*;

    /// Round 1, purple is wild, seat 0 to take tiles.
    fn acquiring(factories: [&str; 5], center: &str, token: Value) -> SummerPavilion {
        position(json!({"phase": "acquire", "factories": factories, "center": center, "token": token}))
    }

    #[test]
    fn the_color_chosen_is_not_wild() {
        let game = acquiring(["ORPP", "GGGG", "", "", ""], "BP", json!("center"));
        assert_eq!(legal(&game), "0B 1O 1R 2G");
        assert_eq!(
            refusal(&game, "1P"),
            "that color is wild: it can be chosen only where no other color lies"
        );
        assert_eq!(refusal(&game, "1B"), "that source holds no tile of that color");
        assert_eq!(refusal(&game, "3B"), "that source holds no tile of that color");
        assert_eq!(refusal(&game, "6B"), "there is no factory of that number");
        assert_eq!(refusal(&game, "pass"), "tiles are being taken from factories and center");
    }

    #[test]
    fn all_tiles_of_the_color_and_exactly_one_wild_tile_are_taken_and_the_rest_goes_to_the_center() {
        let mut game = acquiring(["OOPP", "GGGG", "", "", ""], "B", json!("center"));
        play(&mut game, "1O");
        assert_eq!(hand(&game, 0), "OOP");
        assert_eq!(game.source(CENTER).letters(LETTERS).to_string(), "BP");
        assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 5));
        play(&mut game, "2G");
        assert_eq!(hand(&game, 1), "GGGG");
    }

    #[test]
    fn a_source_of_wild_tiles_only_gives_exactly_one() {
        let mut game = acquiring(["PPPP", "", "", "", ""], "", json!("center"));
        assert_eq!(legal(&game), "1P");
        play(&mut game, "1P");
        assert_eq!(hand(&game, 0), "P");
        assert_eq!(legal(&game), "0P");
        play(&mut game, "0P 0P");
        assert_eq!((hand(&game, 0), hand(&game, 1)), ("PP".to_owned(), "P".to_owned()));
        assert_eq!(game.token(), Some(Seat::new(1)));
        assert_eq!((score(&game, 0), score(&game, 1)), (5, 4));
    }

    #[test]
    fn a_wild_tile_alone_in_the_center_is_one_tile_lost() {
        let mut game = acquiring(["", "", "", "", ""], "PPP", json!("center"));
        play(&mut game, "0P");
        assert_eq!((hand(&game, 0).as_str(), score(&game, 0)), ("P", 4));
    }

    /// Rulebook example: 3 yellow and 1 wild tile cost 4 points.
    #[test]
    fn the_first_from_the_center_takes_the_token_and_loses_a_point_for_each_tile() {
        let mut game = acquiring(["GGGG", "", "", "", ""], "YYYPPR", json!("center"));
        play(&mut game, "0Y");
        assert_eq!((hand(&game, 0).as_str(), score(&game, 0)), ("YYYP", 1));
        assert_eq!(game.token(), Some(Seat::new(0)));
    }

    #[test]
    fn later_takers_from_the_center_lose_nothing() {
        let mut game = acquiring(["GGGG", "", "", "", ""], "YYYPPR", json!(1));
        play(&mut game, "0Y");
        assert_eq!((score(&game, 0), game.token()), (5, Some(Seat::new(1))));
    }

    #[test]
    fn the_center_penalty_stops_at_0() {
        let mut game = acquiring(["GGGG", "", "", "", ""], "YYYYYYYPR", json!("center"));
        play(&mut game, "0Y");
        assert_eq!(score(&game, 0), 0);
    }

    #[test]
    fn the_token_holder_places_first() {
        let mut game = acquiring(["", "", "", "", ""], "R", json!(1));
        play(&mut game, "0R");
        assert_eq!((game.phase(), game.turn()), (Phase::Place, Turn::Player(Seat::new(1))));
    }

    #[test]
    fn if_nobody_took_the_token_the_start_player_places_first_and_stays_start_player() {
        let mut game = position(json!({
            "phase": "acquire", "factories": ["RRRR", "", "", "", ""], "token": "center", "turn": 0, "start": 1,
            "supply": "OORRBBYYGG",
        }));
        play(&mut game, "1R");
        assert_eq!((game.phase(), game.turn()), (Phase::Place, Turn::Player(Seat::new(1))));
        play(&mut game, "pass pass done");
        assert_eq!((game.phase(), game.starting_seat(), game.token()), (Phase::Deal, Seat::new(1), None));
    }
}

mod placing {
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
        assert_eq!(
            refusal(&game, "B3B3"),
            "at least one of the tiles paid must have the color that is placed"
        );
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
}

mod bonus {
    use super::*;

    const FEATURES: [(u8, &str); 18] = [
        (1, "O2 O3 C6 C1"),
        (2, "O1 O2 R3 R4"),
        (3, "O5 O6"),
        (1, "R2 R3 C1 C2"),
        (2, "R1 R2 B3 B4"),
        (3, "R5 R6"),
        (1, "B2 B3 C2 C3"),
        (2, "B1 B2 Y3 Y4"),
        (3, "B5 B6"),
        (1, "Y2 Y3 C3 C4"),
        (2, "Y1 Y2 G3 G4"),
        (3, "Y5 Y6"),
        (1, "G2 G3 C4 C5"),
        (2, "G1 G2 P3 P4"),
        (3, "G5 G6"),
        (1, "P2 P3 C5 C6"),
        (2, "P1 P2 O3 O4"),
        (3, "P5 P6"),
    ];

    /// The stars as JSON with these slots filled: outer stars in their own colors, the center in six colors.
    fn filled(slots: &[&str]) -> Value {
        let mut stars = serde_json::Map::new();
        for name in STAR_LETTERS.chars() {
            let tile = |number: usize| match slots.contains(&format!("{name}{number}").as_str()) {
                false => '.',
                true if name == 'C' => LETTERS.as_bytes()[number - 1] as char,
                true => name,
            };
            stars.insert(name.to_string(), json!((1..=6).map(tile).collect::<String>()));
        }
        Value::Object(stars)
    }

    /// Places on the last slot, all others of the list being filled, and returns the bonus tiles owed.
    fn owed_for(game: &str, slots: &[&str], last: &str) -> u8 {
        let others: Vec<&str> = slots.iter().copied().filter(|slot| *slot != last).collect();
        let number: usize = last[1..].parse().unwrap();
        let color = if last.starts_with('C') { &LETTERS[number - 1..number] } else { &last[..1] };
        let mut game = position(json!({
            "game": game, "supply": "ORBYGORBYG",
            "boards": [{"hand": color.repeat(6), "stars": filled(&others)}],
        }));
        play(&mut game, &format!("{last}{color}0"));
        assert_eq!(game.phase() == Phase::Bonus, game.owed() > 0);
        game.owed()
    }

    #[test]
    fn every_feature_is_found_whichever_slot_is_filled_last() {
        for game in ["summer-pavilion", "summer-pavilion:gray"] {
            for (tiles, slots) in FEATURES {
                let slots: Vec<&str> = slots.split(' ').collect();
                for &last in &slots {
                    assert_eq!(owed_for(game, &slots, last), tiles, "{slots:?}, {last} last");
                    for &missing in slots.iter().filter(|slot| **slot != last) {
                        let some: Vec<&str> = slots.iter().copied().filter(|slot| *slot != missing).collect();
                        assert_eq!(owed_for(game, &some, last), 0, "{some:?}, {last} last");
                    }
                }
            }
        }
    }

    #[test]
    fn a_full_board_gives_36_bonus_tiles() {
        let worth = |feature: &Feature| u32::from(rules("summer-pavilion").bonus_tiles(feature.kind));
        assert_eq!(Feature::ALL.iter().map(worth).sum::<u32>(), 36);
    }

    #[test]
    fn features_completed_together_add_up_to_at_most_3() {
        assert_eq!(owed_for("summer-pavilion", &["O1", "O2", "O3", "R3", "R4", "C1", "C6"], "O2"), 3);
        assert_eq!(owed_for("summer-pavilion", &["O2", "O3", "R2", "R3", "C6", "C1", "C2"], "C1"), 2);
        let slots: Vec<String> = Slot::all().map(|slot| slot.to_string()).collect();
        let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
        for slot in Slot::all() {
            let last = slot.to_string();
            let names = FEATURES.iter().filter(|(_, slots)| slots.split(' ').any(|name| name == last));
            let expected: u8 = names.map(|(tiles, _)| tiles).sum();
            assert!((1..=3).contains(&expected));
            assert_eq!(owed_for("summer-pavilion", &slots, &last), expected, "{last} last on a full board");
        }
    }

    #[test]
    fn a_feature_completed_earlier_gives_nothing_again() {
        let mut game = position(json!({
            "supply": "ORBYGORBYG", "boards": [{"hand": "OOOO", "stars": {"O": "....OO"}}],
        }));
        play(&mut game, "O4O0");
        assert_eq!((game.owed(), game.turn()), (0, Turn::Player(Seat::new(1))));
    }

    #[test]
    fn bonus_tiles_are_taken_one_by_one_in_any_order_wild_ones_too_without_a_refill_in_between() {
        let mut game = position(json!({
            "supply": "ORRPPPPPPP", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}],
        }));
        play(&mut game, "O6O0");
        assert_eq!(legal(&game), "+O +R +P");
        assert_eq!(refusal(&game, "+B"), "the supply holds no tile of that color");
        assert_eq!(refusal(&game, "pass"), "a bonus tile must be taken from the supply first");
        play(&mut game, "+P +O");
        assert_eq!((game.turn(), legal(&game).as_str()), (Turn::Player(Seat::new(0)), "+R +P"));
        assert_eq!(game.supply().total(), 8);
        play(&mut game, "+P");
        assert_eq!(hand(&game, 0), "OPP");
        assert_eq!((game.phase(), game.next_seat()), (Phase::Supply, Some(Seat::new(1))));
    }

    #[test]
    fn each_tile_is_asked_for_even_without_a_choice_and_a_short_supply_gives_all_it_has() {
        let mut game =
            position(json!({"supply": "RR", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}]}));
        play(&mut game, "O6O0");
        assert_eq!((game.owed(), legal(&game).as_str()), (2, "+R"));
        play(&mut game, "+R +R");
        assert_eq!((game.phase(), hand(&game, 0).as_str()), (Phase::Supply, "RR"));
    }

    #[test]
    fn an_empty_supply_gives_nothing() {
        let mut game =
            position(json!({"supply": "", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}]}));
        play(&mut game, "O6O0");
        assert_eq!((game.phase(), game.owed()), (Phase::Supply, 0));
    }
}

mod refilling {
    use super::*;

    #[test]
    fn the_supply_is_refilled_after_a_turn_that_places() {
        let mut game = position(json!({"supply": "ORBYGORBY", "boards": [{"hand": "OO"}]}));
        play(&mut game, "O1O0");
        assert_eq!((game.turn(), json_of(&game)["next"].clone()), (Turn::Chance, json!(1)));
        assert_eq!(
            refusal(&game, "SOO"),
            "the supply is filled up to 10 tiles as long as bag and depot have any"
        );
        assert_eq!(refusal(&game, "DOOOO"), "the supply is to be filled now, not the factories");
        play(&mut game, "SG");
        assert_eq!((game.turn(), game.supply().total()), (Turn::Player(Seat::new(1)), 10));
    }

    #[test]
    fn the_supply_is_refilled_after_a_pass() {
        let mut game = position(json!({"supply": "ORBYGORBY"}));
        play(&mut game, "pass");
        assert_eq!((game.turn(), game.phase()), (Turn::Chance, Phase::Supply));
    }

    #[test]
    fn no_chance_node_comes_when_the_supply_is_full() {
        let mut game = position(json!({"supply": "ORBYGORBYG", "boards": [{"hand": "OO"}]}));
        play(&mut game, "O1O0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(1)));
        assert_eq!(
            refusal(&game, "SO"),
            "'SO' is not an action such as 3R, B6B3 (slot, color, wild tiles), +O, pass or keep:O"
        );
    }

    #[test]
    fn the_rounds_last_pass_refills_the_supply_before_the_deal() {
        let mut game = position(json!({"supply": "ORBYGORBY", "boards": [{}, {"passed": true}]}));
        play(&mut game, "pass");
        let json = json_of(&game);
        assert_eq!(
            (&json["phase"], &json["next"], &json["round"]),
            (&json!("supply"), &json!(null), &json!(1))
        );
        assert_eq!(json["boards"][0]["passed"], true);
        play(&mut game, "SG");
        assert_eq!((game.phase(), game.round()), (Phase::Deal, 2));
    }

    #[test]
    fn the_games_last_turn_refills_nothing() {
        let mut game = position(json!({"round": 6, "supply": "ORB", "boards": [{}, {"passed": true}]}));
        play(&mut game, "pass");
        assert_eq!(game.turn(), Turn::Over);
    }

    /// Two players whose hands swallow the whole bag: what is left is said by `bag` and `depot`.
    fn nearly_empty(supply: &str, bag: [u8; 6], depot: [u8; 6]) -> SummerPavilion {
        let left: Vec<String> = (0..COLORS)
            .map(|i| {
                let supply = supply.matches(&LETTERS[i..=i]).count();
                LETTERS[i..=i].repeat(22 - supply - usize::from(bag[i]) - usize::from(depot[i]))
            })
            .collect();
        position(json!({
            "supply": supply, "bag": bag, "depot": depot,
            "boards": [{"hand": left[..3].concat()}, {"hand": left[3..].concat()}],
        }))
    }

    #[test]
    fn the_depot_is_poured_in_the_middle_of_a_draw_and_not_earlier() {
        let mut game = nearly_empty("ORBYGORBY", [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]);
        play(&mut game, "O2O0");
        assert_eq!(refusal(&game, "SO"), "the bag does not hold these tiles");
        play(&mut game, "SR");
        assert!(game.bag().is_empty() && depot(&game) == "OO", "the bag ran empty, nothing more was drawn");

        let mut game = nearly_empty("ORBYGOR", [0, 1, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]);
        play(&mut game, "O2O0");
        assert_eq!(refusal(&game, "SOOO"), "the bag and then the depot do not hold these tiles");
        assert_eq!(refusal(&game, "SORR"), "the bag and then the depot do not hold these tiles");
        play(&mut game, "SOOR");
        assert_eq!((game.bag().letters(LETTERS).to_string().as_str(), depot(&game).as_str()), ("OO", ""));
    }

    #[test]
    fn if_bag_and_depot_are_empty_spaces_stay_empty() {
        let mut game = nearly_empty("ORB", [0; 6], [0; 6]);
        play(&mut game, "O1O0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(1)), "nothing can be drawn: no chance node");
        let mut game = nearly_empty("ORB", [0; 6], [0; 6]);
        play(&mut game, "O3O0");
        assert_eq!(
            refusal(&game, "SOOO"),
            "the supply is filled up to 10 tiles as long as bag and depot have any"
        );
        play(&mut game, "SOO");
        assert_eq!((game.supply().total(), game.turn()), (5, Turn::Player(Seat::new(1))));
    }
}

mod passing {
    use super::*;

    const FULL: &str = "ORBYGORBYG";

    fn passing(hand: &str, score: i16) -> SummerPavilion {
        let mut game = position(json!({"supply": FULL, "boards": [{"hand": hand, "score": score}]}));
        play(&mut game, "pass");
        game
    }

    #[test]
    fn example_f_two_discarded_tiles_cost_2_points() {
        let mut game = passing("GGGGRR", 5);
        play(&mut game, "keep:G keep:G keep:G keep:G");
        assert_eq!((score(&game, 0), depot(&game).as_str(), hand(&game, 0).as_str()), (3, "RR", ""));
        assert_eq!(game.board(Seat::new(0)).kept(), Tiles::of(Color::Green.index(), 4));
        assert_eq!(game.turn(), Turn::Player(Seat::new(1)));
    }

    use crate::tiles::Tiles;

    #[test]
    fn a_set_of_kept_tiles_has_one_spelling() {
        let mut game = passing("GGRR", 5);
        assert_eq!(legal(&game), "keep:R keep:G done");
        play(&mut game, "keep:G");
        assert_eq!(legal(&game), "keep:G done");
        assert_eq!(
            refusal(&game, "keep:R"),
            "tiles to keep are named in color order: one of a later color is kept already"
        );
        assert_eq!(refusal(&game, "keep:O"), "the hand holds no tile of that color");
        assert_eq!(refusal(&game, "pass"), "the player has passed and is choosing tiles to keep");
        play(&mut game, "done");
        assert_eq!((score(&game, 0), depot(&game).as_str()), (2, "RRG"));
    }

    #[test]
    fn keeping_ends_by_itself_when_nothing_more_may_be_kept() {
        let mut game = passing("GRR", 5);
        play(&mut game, "keep:G");
        assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 3));
        let mut game = passing("GR", 5);
        play(&mut game, "keep:R keep:G");
        assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 5));
    }

    #[test]
    fn a_player_may_keep_nothing_and_the_loss_stops_at_0() {
        let mut game = passing("GGRRRR", 4);
        play(&mut game, "done");
        assert_eq!((score(&game, 0), depot(&game).as_str()), (0, "RRRRGG"));
    }

    #[test]
    fn a_player_without_tiles_passes_freely() {
        let game = passing("", 5);
        assert_eq!((score(&game, 0), game.turn()), (5, Turn::Player(Seat::new(1))));
    }

    #[test]
    fn passing_is_final_and_those_who_passed_are_skipped() {
        let mut game = position(json!({
            "players": 3, "supply": FULL, "turn": 2,
            "boards": [{"hand": "OO"}, {"passed": true}, {"hand": "BBB"}],
        }));
        play(&mut game, "B1B0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
        play(&mut game, "O1O0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(2)), "seat 1 has passed");
        play(&mut game, "B2B0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
        play(&mut game, "pass done");
        assert_eq!(game.turn(), Turn::Player(Seat::new(2)));
        play(&mut game, "pass");
        assert_eq!(game.phase(), Phase::Deal);
    }

    #[test]
    fn the_last_player_goes_on_alone() {
        let mut game = position(json!({"supply": FULL, "boards": [{"hand": "BBB"}, {"passed": true}]}));
        play(&mut game, "B1B0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
        play(&mut game, "B2B0");
        assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
    }
}

mod next_round {
    use super::*;

    #[test]
    fn the_token_returns_kept_tiles_return_to_the_hands_and_the_holder_starts() {
        let mut game = position(json!({
            "token": 1, "supply": "ORBYGORBYG", "depot": [0, 1, 0, 0, 0, 0],
            "boards": [{"hand": "GR"}, {"passed": true, "kept": "OO"}],
        }));
        play(&mut game, "pass keep:R done");
        let json = json_of(&game);
        assert_eq!((&json["phase"], &json["round"], &json["wild"]), (&json!("deal"), &json!(2), &json!("G")));
        assert_eq!((&json["start"], &json["token"]), (&json!(1), &json!("center")));
        for (seat, hand) in [(0, "R"), (1, "OO")] {
            let board = &json["boards"][seat];
            assert_eq!((&board["hand"], &board["kept"]), (&json!(hand), &json!("")));
            assert_eq!(board["passed"], false);
        }
        assert_eq!(refusal(&game, "SO"), "the factories are to be filled now, not the supply");
        play(&mut game, "DORBY/ORBY/ORBY/ORBY/OOOO");
        assert_eq!((game.phase(), game.turn()), (Phase::Acquire, Turn::Player(Seat::new(1))));
    }

    /// Before the deal of round 2: these tiles are left in bag and depot, all others in the players' hands.
    fn last_pass(bag: [u8; 6], depot: [u8; 6]) -> SummerPavilion {
        let stars = json!({"O": "OOOOOO", "R": "RRRRRR", "B": "BBBBBB", "Y": "YYYYYY", "G": "GGGGGG", "P": "PPPPPP",
            "C": "ORBYGP"});
        let factories = vec![""; 7];
        // Three full boards hold 21 tiles of each color, the supply the rest but for what bag and depot have.
        let supply: String =
            (0..COLORS).map(|i| LETTERS[i..=i].repeat(usize::from(1 - bag[i] - depot[i]))).collect();
        position(json!({
            "players": 3, "factories": factories, "supply": supply, "bag": bag, "depot": depot,
            "boards": [{"stars": stars}, {"stars": stars, "passed": true}, {"stars": stars, "passed": true}],
        }))
    }

    #[test]
    fn without_any_tile_the_round_goes_on_with_placing() {
        let mut game = last_pass([0; 6], [0; 6]);
        play(&mut game, "pass");
        assert_eq!((game.phase(), game.round(), game.token()), (Phase::Place, 2, None));
        assert_eq!((game.turn(), game.wild()), (Turn::Player(Seat::new(0)), Color::Green));
        assert_eq!(legal(&game), "pass");
        play(&mut game, "pass pass pass");
        assert_eq!((game.phase(), game.round(), game.turn()), (Phase::Place, 3, Turn::Player(Seat::new(0))));
        play(&mut game, "pass pass pass pass pass pass pass pass pass pass pass pass");
        assert_eq!(game.turn(), Turn::Over);
        // 5 points, the stars 17 + 14 + 15 + 16 + 18 + 20 + 12, the numbers 4 + 8 + 12 + 16.
        assert_eq!(game.scores().as_slice(), [157; 3]);
        assert_eq!(game.wins().as_slice(), [1.0 / 3.0; 3]);
    }

    #[test]
    fn the_refill_before_the_deal_may_take_the_last_tiles() {
        let mut game = last_pass([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]);
        play(&mut game, "pass SOR");
        assert_eq!((game.phase(), game.round()), (Phase::Place, 2));
    }

    #[test]
    fn factories_are_filled_one_after_the_other_and_the_last_ones_stay_short() {
        let full = json!({"O": "OOOOOO", "R": "RRRRRR", "B": "BBBBBB", "Y": "YYYYYY", "G": "GGGGGG", "P": "PPPPPP",
            "C": "ORBYGP"});
        let board = json!({"stars": full});
        let mut game = position(json!({
            "players": 3, "phase": "deal", "turn": "chance", "token": "center", "round": 2,
            "bag": [0, 0, 0, 0, 1, 0], "depot": [1, 1, 1, 1, 0, 1], "boards": [board, board, board],
        }));
        let short = "each factory gets 4 tiles as long as bag and depot have any";
        assert_eq!(refusal(&game, "DORBG/Y/P/-/-/-/-"), short);
        assert_eq!(refusal(&game, "DORG/BYP/-/-/-/-/-"), short);
        assert_eq!(
            refusal(&game, "DORBG/YP/-/-/-/-"),
            "wrong number of factories for this number of players"
        );
        let bag_first = "the bag and then the depot do not hold these tiles";
        assert_eq!(refusal(&game, "DORBY/GP/-/-/-/-/-"), bag_first);
        assert_eq!(refusal(&game, "DOOBG/YP/-/-/-/-/-"), bag_first);
        assert_eq!(refusal(&game, "DORBG/YY/-/-/-/-/-"), "the bag does not hold these tiles");
        play(&mut game, "DORBG/YP/-/-/-/-/-");
        assert_eq!((game.phase(), legal(&game).as_str()), (Phase::Acquire, "1O 1R 1B 2Y 2P"));
    }
}

mod end {
    use super::*;

    /// The final score of seat 0, who has 5 points before and these stars and kept tiles.
    fn final_score(game: &str, stars: Value, kept: &str) -> i16 {
        let mut game = position(json!({
            "game": game, "round": 6, "turn": 1,
            "boards": [{"stars": stars, "kept": kept, "passed": true}, {}],
        }));
        play(&mut game, "pass");
        assert_eq!((game.turn(), score(&game, 1)), (Turn::Over, 5));
        assert_eq!(depot(&game), kept, "kept tiles end in the depot");
        assert!(game.boards().as_slice().iter().all(|board| board.kept().is_empty() && board.passed()));
        score(&game, 0)
    }

    const COLORED: &str = "summer-pavilion";
    const GRAY: &str = "summer-pavilion:gray";

    #[test]
    fn complete_stars_of_one_color() {
        for (color, points) in [('R', 14), ('B', 15), ('Y', 16), ('O', 17), ('G', 18), ('P', 20)] {
            let star = color.to_string().repeat(6);
            let name = color.to_string();
            assert_eq!(final_score(COLORED, json!({ &name: star }), ""), 5 + points, "{color}");
            assert_eq!(final_score(GRAY, json!({"O": star }), ""), 5 + points, "{color} on the gray side");
            let five = format!("{}.", color.to_string().repeat(5));
            assert_eq!(final_score(COLORED, json!({ &name: five }), ""), 5, "{color}");
        }
    }

    #[test]
    fn complete_stars_of_six_colors() {
        assert_eq!(final_score(COLORED, json!({"C": "PORBYG"}), ""), 17);
        assert_eq!(final_score(GRAY, json!({"C": "PORBYG"}), ""), 17);
        assert_eq!(final_score(GRAY, json!({"Y": "PORBYG"}), ""), 17);
        assert_eq!(final_score(GRAY, json!({"C": "RRRRRR"}), ""), 19);
    }

    /// Stars with these positions filled on the outer stars (in their own colors) and on the center.
    fn positions(outer: &str, center: &str) -> Value {
        let mut stars = serde_json::Map::new();
        for (i, name) in LETTERS.chars().enumerate() {
            let fill = |mark: char| if mark == '.' { '.' } else { name };
            stars.insert(name.to_string(), json!(outer.chars().map(fill).collect::<String>()));
            assert_eq!(Color::ALL[i].letter(), name);
        }
        stars.insert("C".to_owned(), json!(center));
        Value::Object(stars)
    }

    #[test]
    fn colored_side_all_slots_of_a_number() {
        assert_eq!(final_score(COLORED, positions("x.....", "P....."), ""), 9);
        assert_eq!(final_score(COLORED, positions(".x....", ".P...."), ""), 13);
        assert_eq!(final_score(COLORED, positions("..x...", "..P..."), ""), 17);
        assert_eq!(final_score(COLORED, positions("...x..", "...P.."), ""), 21);
        assert_eq!(final_score(COLORED, positions("....x.", "....P."), ""), 5);
        assert_eq!(final_score(COLORED, positions(".....x", ".....P"), ""), 5);
        assert_eq!(final_score(COLORED, positions("x.....", ".P...."), ""), 5);
    }

    #[test]
    fn gray_side_all_slots_of_a_printed_cost() {
        assert_eq!(final_score(GRAY, positions("..x...", "......"), ""), 9, "cost 1 is slot 3");
        assert_eq!(final_score(GRAY, positions(".x....", "......"), ""), 13);
        assert_eq!(final_score(GRAY, positions("x.....", "......"), ""), 5);
        assert_eq!(final_score(GRAY, positions("x.....", "PORBYG"), ""), 5 + 12 + 12, "12 slots of cost 3");
        assert_eq!(final_score(GRAY, positions("x.....", "PORBY."), ""), 5);
        assert_eq!(final_score(GRAY, positions("...x..", "......"), ""), 21);
    }

    #[test]
    fn each_kept_tile_costs_a_point_after_everything_else_and_not_below_0() {
        assert_eq!(final_score(COLORED, json!({"R": "RRRRRR"}), "OBB"), 16);
        let mut game = position(json!({
            "round": 6, "turn": 1,
            "boards": [{"score": 2, "kept": "OOOO", "passed": true}, {"score": 1, "hand": "GG"}],
        }));
        play(&mut game, "pass keep:G keep:G");
        assert_eq!(game.scores().as_slice(), [0, 0]);
        let mut game = position(json!({
            "round": 6, "turn": 1,
            "boards": [{"score": 2, "stars": {"C": "ORBYGP"}, "kept": "PPPP", "passed": true}, {}],
        }));
        play(&mut game, "pass");
        assert_eq!(score(&game, 0), 10, "the loss comes after the 12 points for the star");
    }

    #[test]
    fn most_points_win_and_ties_share() {
        let end = |scores: [i16; 3]| {
            let board = |score: i16| json!({"score": score, "passed": true});
            let [first, second, third] = scores;
            position(json!({"players": 3, "round": 6, "phase": "over", "turn": "over",
                "boards": [board(first), board(second), board(third)]}))
        };
        assert_eq!(end([7, 9, 8]).wins().as_slice(), [0.0, 1.0, 0.0]);
        assert_eq!(end([9, 9, 8]).wins().as_slice(), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn nothing_is_played_when_the_game_is_over() {
        let board = json!({"passed": true});
        let game = position(json!({"round": 6, "phase": "over", "turn": "over", "boards": [board, board]}));
        assert_eq!(legal(&game), "");
        assert_eq!(refusal(&game, "pass"), "the game is over");
        assert_eq!(game.check_action(Action::Pass).unwrap_err().to_string(), "the game is over");
        let supply = "SO".parse().unwrap();
        assert_eq!(game.check_chance(&supply).unwrap_err().to_string(), "no tiles are to be drawn now");
    }
}
