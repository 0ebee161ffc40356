import type { Call } from '#lib/protocol/call/call.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { LoggedEvent, SessionStatus } from '#lib/protocol/session/event.ts'
import type { Told } from './model.ts'

/** A session when everything is over: what the API says of it, and what the model was last shown. */
export type EndOfSession = {
  id: string
  /** Bound to the external agent. */
  external: boolean
  status: SessionStatus
  waitingFor: Call[]
  /** The whole log, oldest first. `digest` is of what a reader is told. */
  log: Logged[]
  /** The keys of the messages in the last prompt, in its order. */
  prompt: string[]
  /** The out-of-band messages in it, in its order. */
  told: Told[]
  /** What the API lists of them. */
  outOfBand: OutOfBand[]
  /** Those that the agent was not told when all had come to rest the first time, before the last message. */
  waited: OutOfBand[]
}

export type Logged = { seq: number; at: string; digest: string; event: LoggedEvent }

/** Everything a checker looks at beside the history. */
export type State = {
  sessions: EndOfSession[]
  /** What the pages that tools fetched counted: a path for each time it was asked for. */
  effects: string[]
  /** What the external agent was sent: the message's key, and the delivery's own key. */
  delivered: { key: string; delivery: string }[]
  /** Prompts of which neither begins with the other, as `session: where they part`. */
  torn: string[]
  /** Servers that ended though nobody killed them. */
  ended: string[]
}
