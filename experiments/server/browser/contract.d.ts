// What the server and the page say to each other, and the states of the games, as the formats' documentation describes them.

type Seat = number;
type Turn = Seat | "chance" | "over";

interface Course { game: string; players: number; start?: State; moves: string[] }

interface AzulBoard { score: number; lines: string[]; wall: string[]; floor: string }
interface AzulState {
  game: string; players: number; round: number; phase: string; turn: Turn;
  start: Seat; factories: string[]; center: string; marker: Seat | "center"; bag: number[]; lid: number[]; boards: AzulBoard[];
}
interface SummerBoard { score: number; hand: string; kept: string; passed: boolean; stars: Record<string, string> }
interface SummerState {
  game: string; players: number; round: number; phase: string; turn: Turn;
  start: Seat; wild: string; owed: number; factories: string[]; center: string; token: Seat | "center"; next: Seat | null;
  supply: string; bag: number[]; depot: number[]; boards: SummerBoard[];
}
interface Expansion { kind: string; rotation: number }
interface GardenBoard {
  score: number; passed: boolean; jokers: number; tiles: string[]; expansions: string[];
  areas: (null | "down" | Expansion)[]; hexagons: Record<string, string>;
}
interface GardenState {
  game: string; players: number; round: number; phase: string; turn: Turn;
  start: Seat; next: Seat | null; pending: string[]; unseen: string[]; display: { tiles: string[]; kind: string | null }[];
  stack: number; supply: number; bag: number[]; tower: number[]; marker: Seat | "center"; boards: GardenBoard[];
}
type State = AzulState | SummerState | GardenState;

interface LegalAction { action: string; words: string }
interface PlayedMove { ply: number; seat: Turn; move: string; words: string; round?: number; scores?: number[] }
interface Position {
  course: Course; turn: Turn; round: number; state: State; legal: LegalAction[]; scores: number[]; wins: number[] | null;
  sources: Record<string, number>[]; last: PlayedMove[]; log?: PlayedMove[];
}
interface Choice { action: string; words: string; win: number | null; lead: number | null; ms: number; visits: number }
interface LineMove { seat: Turn; words: string }
interface Candidate { action: string; words: string; visits: number; win: number | null; lead: number | null; line: string[]; line_in_words: LineMove[] }
interface Analysis { done: boolean; visits: number; ms: number; candidates: Candidate[]; error?: string }
interface MistakeKind { played: string; better: string }
interface SeatReview {
  seat: Seat; moves: number; loss: number; points_lost: number | null; inaccuracies: number; mistakes: number; blunders: number;
  kinds: (MistakeKind & { moves: number; loss: number; points_lost: number })[];
}
interface Better { action: string; words: string; line: string[]; line_in_words: LineMove[]; win: number | null; lead: number | null }
interface Judgement {
  ply: number; seat: Turn; move: string; words: string; wins: number[]; leads: number[]; best: Better | null;
  loss: number | null; points_lost: number | null; mark: null | "inaccuracy" | "mistake" | "blunder"; kind: MistakeKind | null;
  done?: undefined; error?: string;
}
interface GameInfo { id: string; name: string; specs: { spec: string; name: string }[]; players: number[]; guide: string }
interface Rating { rating: number; low: number; high: number }
interface AgentInfo { name: string; spec: string; about: string; ratings: Record<string, Rating | null> }
interface Catalog { version: string; games: GameInfo[]; agents: AgentInfo[]; limits: { time_ms: number; multipv: number } }
interface RunInfo {
  path: string; kind: string; game: string | null; players: number | null; agents: string[]; games: number | null; done: number | null;
  finished: boolean; changed: number | null;
}
interface RunDetails extends RunInfo { report?: string | null; summary: Record<string, any> | null; metrics: Record<string, string | number>[] }
interface GameRow {
  index: number; players: number; names: string[]; scores: number[]; wins: number[]; end: string; loss: number | null; points_lost: number | null;
}
interface GamesAnswer { total: number; judged: number | null; games: GameRow[] }
interface GameRecord { course: Course; seed: number; agents: string[]; names?: string[]; scores?: number[]; wins?: number[] }

/** A seat of a game that is being played here. */
interface SeatPlan { kind: "person" | "bot"; name: string; spec: string; time_ms: number }
/** A game that is being played here, as the browser keeps it. */
interface SavedGame { id: string; course: Course; seats: SeatPlan[]; seed: number; changed: number; over: boolean; scores: number[] }
/** Where a move begins and ends on the table, and the tile that goes. */
interface Trip { from: string; to: string; tile: string }
