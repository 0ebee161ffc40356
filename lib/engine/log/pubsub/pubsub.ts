/**
 * The doorbell (docs/concepts/engine.md#notifications): it carries an ID and nothing else, and may ring late, twice or, when a connection
 * breaks, not at all. So: listen first, read past your cursor, then wait; and look again every second or two.
 */
export type PubSub = {
  /** Says that something happened in this session. Local ears hear it at once, other processes a moment later. */
  publish(sessionKey: number): void
  /** Hears every ring, with `null` for "the line was down: anything may have happened". Call the result to stop. */
  subscribe(ear: (sessionKey: number | null) => void): () => void
  stop(): Promise<void>
}
