/**
 * Notifies processes that a session has changed (docs/concepts/engine.md#notifications). A notification
 * carries only the session's key. It can be late, duplicated or lost, so a reader must listen first, read
 * past its cursor, and then wait. It must also poll every second or two.
 */
export type PubSub = {
  /** Announces a change of this session. Local listeners are called at once, other processes a moment later. */
  publish(sessionKey: number): void
  /**
   * Calls the listener for every notification; `null` means that the connection was lost and any session can
   * have changed. Returns a function that unsubscribes.
   */
  subscribe(listener: (sessionKey: number | null) => void): () => void
  stop(): Promise<void>
}
