import type { Turn, TurnEvent } from '#lib/turn/turn.ts'

/** How an agent's turn runs. It reads its turn and yields events; it never touches the database (design 6). */
export type Runtime = (turn: Turn) => AsyncIterable<TurnEvent>
