import type { Turn, TurnEvent } from '#lib/turn/turn.ts'

/** How an agent's turn runs. It reads its turn and yields events; it never touches the database (docs/architecture.md#extension-points). */
export type Runtime = (turn: Turn) => AsyncIterable<TurnEvent>
