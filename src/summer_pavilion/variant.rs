//! The rules data of Summer Pavilion's variants.

use serde::{Deserialize, Serialize};

use super::payment::Payments;
use super::{CENTER_STAR, COLORS, Color, Feature, FeatureKind, LETTERS, MAX_FACTORIES, STAR_SLOTS, Slot};
use crate::changes::{self, Changes, RuleKey};
use crate::error::{SpecError, excerpt};
use crate::game::Rules;
use crate::player::MAX_PLAYERS;
use crate::spec::choose;

const ID: &str = "summer-pavilion";

/// Which side of the player board is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoardSide {
    /// Each outer star takes its own color only, the center each color once; slot numbers are the costs.
    #[default]
    Colored,
    /// The first two tiles of a star decide whether it takes one color or all different ones; other costs.
    Gray,
}

static BY_NUMBER: Payments = Payments::new([1, 2, 3, 4, 5, 6]);
static GRAY_OUTER: Payments = Payments::new([3, 2, 1, 4, 5, 6]);
static GRAY_CENTER: Payments = Payments::new([3; STAR_SLOTS]);

impl BoardSide {
    /// What the slots of a star (0 to 6) cost and how it can be paid.
    #[inline]
    pub(super) fn payments(self, star: usize) -> &'static Payments {
        match (self, star) {
            (BoardSide::Colored, _) => &BY_NUMBER,
            (BoardSide::Gray, CENTER_STAR) => &GRAY_CENTER,
            (BoardSide::Gray, _) => &GRAY_OUTER,
        }
    }

    /// The number of tiles to pay for a slot, 1 to 6.
    #[inline]
    pub fn cost(self, slot: Slot) -> u8 {
        self.payments(slot.star()).costs()[slot.position()]
    }

    /// The set of slots with this cost printed on them, bit [`Slot::index`].
    pub fn slots_of_cost(self, cost: u8) -> u64 {
        Slot::all().filter(|&slot| self.cost(slot) == cost).fold(0, |all, slot| all | slot.bit())
    }
}

/// Which color is wild in which round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WildOrder {
    /// `standard`: purple, green, orange, yellow, blue, red.
    #[default]
    Standard,
    /// `alternate`: orange, red, blue, yellow, green, purple.
    Alternate,
    /// `wilds=RPGOYB`: any order of the six colors.
    Custom([Color; COLORS]),
}

impl WildOrder {
    /// The wild colors of rounds 1 to 6.
    pub(crate) fn colors(self) -> [Color; COLORS] {
        use Color::{Blue, Green, Orange, Purple, Red, Yellow};
        match self {
            WildOrder::Standard => [Purple, Green, Orange, Yellow, Blue, Red],
            WildOrder::Alternate => [Orange, Red, Blue, Yellow, Green, Purple],
            WildOrder::Custom(colors) => colors,
        }
    }

    /// The order that an option names, if it is one of the options for it.
    fn from_option(option: &str) -> Option<Result<Self, SpecError>> {
        match option {
            "standard" => Some(Ok(WildOrder::Standard)),
            "alternate" => Some(Ok(WildOrder::Alternate)),
            _ => option.strip_prefix("wilds=").map(|letters| {
                permutation(letters).map(WildOrder::Custom).ok_or_else(|| SpecError::Value {
                    game: ID,
                    option: excerpt(option),
                    problem: format!(
                        "'{}' is not each of the letters {LETTERS} once, such as RPGOYB",
                        excerpt(letters)
                    ),
                })
            }),
        }
    }

    /// The option for this order; none for the default.
    fn option(self) -> Option<String> {
        match self {
            WildOrder::Standard => None,
            WildOrder::Alternate => Some("alternate".to_owned()),
            WildOrder::Custom(colors) => {
                Some(format!("wilds={}", String::from_iter(colors.map(Color::letter))))
            }
        }
    }
}

/// The six colors in the order of their letters, if each occurs once.
fn permutation(letters: &str) -> Option<[Color; COLORS]> {
    let colors: Vec<Color> = letters.chars().map_while(Color::from_letter).collect();
    let all_there = Color::ALL.iter().all(|color| colors.contains(color));
    (all_there && letters.chars().count() == COLORS).then(|| <[Color; COLORS]>::try_from(colors).ok())?
}

/// The rules data of one variant of Summer Pavilion.
///
/// All numbers can be changed ([`with_changes`](Rules::with_changes)); the keys are the names of these
/// fields. A list replaces the whole list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummerPavilionRules {
    /// Which side of the board is played.
    #[serde(skip)]
    pub side: BoardSide,
    /// The wild colors; after the sixth round the order would begin again.
    #[serde(skip)]
    pub wilds: WildOrder,
    /// The number of rounds, at least 1.
    pub rounds: u8,
    /// Factories for 2, 3 and 4 players, at most [`MAX_FACTORIES`](super::MAX_FACTORIES).
    pub factories: [u8; 3],
    /// Tiles that the supply is filled up to.
    pub supply: u8,
    /// The points that each player begins with.
    pub starting_score: i16,
    /// Points that each seat begins with beside those; what is listed for seats that nobody sits at is
    /// ignored.
    pub handicap: [i16; MAX_PLAYERS],
    /// Tiles that a player may keep for the next round.
    pub keep_limit: u8,
    /// Points for each tile that comes with the start player token (not positive).
    pub center_penalty: i16,
    /// Points for each tile discarded on passing (not positive).
    pub discard_penalty: i16,
    /// Points for each tile still kept at the end (not positive).
    pub kept_penalty: i16,
    /// Bonus tiles for a pillar, a statue and a window.
    pub feature_tiles: [u8; 3],
    /// Points at the end for a complete star of one color, by color.
    pub star_points: [i16; COLORS],
    /// Points at the end for a complete star of six different colors.
    pub mixed_star_points: i16,
    /// Points at the end for all slots of the printed cost 1, 2, … 6.
    pub number_points: [i16; STAR_SLOTS],
}

impl Default for SummerPavilionRules {
    fn default() -> Self {
        SummerPavilionRules::USUAL
    }
}

impl SummerPavilionRules {
    /// The rules of the colored side with the standard wild colors; the numbers of the others are the same.
    pub(super) const USUAL: Self = SummerPavilionRules {
        side: BoardSide::Colored,
        wilds: WildOrder::Standard,
        rounds: 6,
        factories: [5, 7, 9],
        supply: 10,
        starting_score: 5,
        handicap: [0; MAX_PLAYERS],
        keep_limit: 4,
        center_penalty: -1,
        discard_penalty: -1,
        kept_penalty: -1,
        feature_tiles: [1, 2, 3],
        star_points: [17, 14, 15, 16, 18, 20],
        mixed_star_points: 12,
        number_points: [4, 8, 12, 16, 0, 0],
    };

    /// The wild color of a round (from 1).
    pub fn wild(&self, round: u8) -> Color {
        self.wilds.colors()[(usize::from(round) + COLORS - 1) % COLORS]
    }

    /// The bonus tiles for completing a feature.
    #[inline]
    pub fn bonus_tiles(&self, kind: FeatureKind) -> u8 {
        self.feature_tiles[kind as usize]
    }

    /// The most bonus tiles that one placement can earn.
    pub(super) fn most_bonus_tiles(&self) -> u8 {
        let earned = |slot: Slot| {
            let touching = Feature::ALL.iter().filter(|feature| feature.slots & slot.bit() != 0);
            touching.map(|feature| self.bonus_tiles(feature.kind)).sum()
        };
        Slot::all().map(earned).max().unwrap_or(0)
    }
}

impl Rules for SummerPavilionRules {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("colored", "the board's side on which each outer star takes its own color; the default"),
        (
            "gray",
            "the board's other side: a star takes tiles of one color or of all different ones; other costs",
        ),
        ("standard", "the wild colors P G O Y B R in rounds 1 to 6; the default"),
        ("alternate", "the wild colors O R B Y G P"),
        ("wilds=", "the wild colors in any order: six letters, wilds=RPGOYB"),
    ];

    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let mut rules = SummerPavilionRules::default();
        let (mut side, mut wilds) = (None, None);
        for &option in options {
            match (option, WildOrder::from_option(option)) {
                (_, Some(order)) => {
                    rules.wilds = order?;
                    choose(ID, &mut wilds, option)?;
                }
                ("colored" | "gray", None) => {
                    rules.side = if option == "gray" { BoardSide::Gray } else { BoardSide::Colored };
                    choose(ID, &mut side, option)?;
                }
                _ => {
                    let known = "colored, gray, standard, alternate, wilds=<six letters>, rules=FILE";
                    return Err(SpecError::Option { game: ID, option: excerpt(option), known });
                }
            }
        }
        Ok(rules)
    }

    fn options(&self) -> String {
        let side = match self.side {
            BoardSide::Colored => None,
            BoardSide::Gray => Some("gray".to_owned()),
        };
        side.into_iter().chain(self.wilds.option()).collect::<Vec<String>>().join(",")
    }

    fn variants() -> Vec<Self> {
        let orders = [WildOrder::Standard, WildOrder::Alternate];
        let sides = [BoardSide::Colored, BoardSide::Gray];
        let variants = orders.iter().flat_map(|&wilds| sides.map(|side| (wilds, side)));
        variants.map(|(wilds, side)| SummerPavilionRules { side, wilds, ..Default::default() }).collect()
    }

    const KEYS: &'static [RuleKey] = &[
        RuleKey::count("rounds", 1..=COLORS as i16),
        RuleKey::table("factories", 1..=MAX_FACTORIES as i16),
        RuleKey::table("supply", 1..=10),
        RuleKey::count("starting_score", 0..=1000),
        RuleKey::count("handicap", 0..=100),
        RuleKey::table("keep_limit", 0..=4),
        RuleKey::count("center_penalty", -20..=0),
        RuleKey::count("discard_penalty", -20..=0),
        RuleKey::count("kept_penalty", -20..=0),
        RuleKey::table("feature_tiles", 0..=3),
        RuleKey::count("star_points", 0..=100),
        RuleKey::count("mixed_star_points", 0..=100),
        RuleKey::count("number_points", 0..=100),
    ];

    fn numbers(&self) -> Changes {
        changes::numbers(self)
    }

    fn changes(&self) -> Changes {
        changes::between(&SummerPavilionRules::default(), self)
    }

    fn with_changes(&self, changes: &Changes) -> Result<Self, String> {
        let (side, wilds) = (self.side, self.wilds);
        Ok(SummerPavilionRules { side, wilds, ..changes::replaced(self, changes)? })
    }
}
