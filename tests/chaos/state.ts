import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { LoggedEvent, SessionStatus } from '@waystation/protocol/session/event.ts'
import type { InjectedMessage } from './model.ts'

/** A session at the end of a run: its state from the API, and the last prompt of the model. */
export type EndOfSession = {
  id: string
  /** True if the session is bound to the external agent. */
  external: boolean
  status: SessionStatus
  waitingFor: Call[]
  /** The whole log, oldest first. `digest` covers the fields that readers receive. */
  log: Logged[]
  /** The keys of the messages in the last prompt, in order. */
  prompt: string[]
  /** The out-of-band messages in that prompt, in order. */
  outOfBandInPrompt: InjectedMessage[]
  /** The out-of-band messages that the API lists. */
  outOfBand: OutOfBand[]
  /** The out-of-band messages that were not injected when the run was first idle, before the last message. */
  waited: OutOfBand[]
}

export type Logged = { seq: number; at: string; digest: string; event: LoggedEvent }

/** The input of the checks, in addition to the history. */
export type State = {
  sessions: EndOfSession[]
  /** The effects of tools: the path of each request to a page. */
  effects: string[]
  /** The messages that the external agent received: their key and the key of the delivery. */
  delivered: { key: string; delivery: string }[]
  /** Prompts of which neither starts with the other, as `session: difference`. */
  torn: string[]
  /** Servers that ended without being killed. */
  ended: string[]
}
