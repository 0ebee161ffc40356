/**
 * The doorbell (docs/concepts/engine.md#notifications): it carries an ID and nothing else, and may ring late, twice or, when a connection
 * breaks, not at all. So: listen first, read past your cursor, then wait; and look again every second or two.
 */
export type Bus = {
  /** Says that something happened in this session. Local ears hear it at once, other processes a moment later. */
  ring(sessionKey: number): void
  /** Hears every ring, with `null` for "the line was down: anything may have happened". Call the result to stop. */
  onRing(ear: (sessionKey: number | null) => void): () => void
  /** Only some lines have it. */
  live?: Live
  stop(): Promise<void>
}

/**
 * A line that carries what was written too, so that processes that follow a session need not read each chunk of it from
 * the database. It promises as little as the bell: events may come late, twice or not at all, and whoever cannot join
 * them to what they have reads the log.
 */
export type Live = {
  /** Instead of a ring: events that are committed, with consecutive seqs, go to the processes that follow the session. */
  carry(sessionKey: number, events: Carried): void
  /** From now on, until the result is called, what others carry for this session is taken here. */
  follow(sessionKey: number): () => void
  /** What to do with it; `ring` rings for the session in this process alone. */
  onCarried(take: (sessionKey: number, events: Carried, ring: () => void) => void): void
}

/** Events as they go over the wire (`lib/protocol/event.ts`); at least one. */
export type Carried = readonly { seq: number; type: string; at: string }[]
