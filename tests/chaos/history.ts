import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Fault } from './plan.ts'

/** The kinds of requests of a client. `send-oob` sends an out-of-band message, `cancel-oob` cancels it. */
export type Verb = 'send' | 'answer' | 'cancel' | 'callback' | 'send-oob' | 'cancel-oob'

/**
 * One operation of a client, with all its attempts. `ok`: the server accepted it. `failed`: the server rejected it
 * and no attempt is in doubt. `unknown`: an attempt got no response, or an inconclusive one. Times are milliseconds
 * since 1970.
 */
export type Operation = {
  kind: 'operation'
  verb: Verb
  session: string
  /** The sender. Each sender waits for one operation before it starts the next. */
  sender: string
  /**
   * For a message: the idempotency key, which is also a word of its text. For a `cancel-oob`: the key of the message.
   * For an answer: the ID of the call.
   */
  key: string
  startedAt: number
  ended: number
  attempts: number
  outcome: 'ok' | 'failed' | 'unknown'
  /** The `whenBusy` mode of a message. */
  mode?: 'queue' | 'steer' | 'interrupt' | 'reject'
  /** The priority of an out-of-band message. `abort`: it stops the running turn and starts none. */
  priority?: OobPriority
  abort?: boolean
  /** The content of an answer. */
  value?: string
  /** From the response to an accepted operation: the ID of the new message, or the stopped turn. */
  messageId?: string
  turnId?: string
  /** The index of the server that sent the last response. */
  web?: number
  /** The status and error code of a rejected operation. */
  why?: string
}

/** One connection of a reader: the events after the cursor `after`, each with its seq and its digest. */
export type ReaderConnection = {
  kind: 'followed'
  session: string
  reader: string
  after: number
  received: [seq: number, digest: string][]
  startedAt: number
  ended: number
}

/** A fault and its duration. A kill ends when the killed process is up again. */
export type RecordedFault = { kind: 'fault'; fault: Fault; target: number; startedAt: number; ended: number }

export type Line = Operation | ReaderConnection | RecordedFault

/** The history of a run: its lines in memory and in a JSON Lines file. */
export type History = {
  path: string
  lines: Line[]
  add(line: Line): void
  close(): Promise<void>
}

/** Opens a history. Its first line has the parameters that reproduce the run. */
export function openHistory(path: string, run: object): History {
  const file = createWriteStream(path)
  file.write(`${JSON.stringify({ kind: 'run', ...run })}\n`)
  const lines: Line[] = []
  return {
    path,
    lines,
    add(line) {
      lines.push(line)
      file.write(`${JSON.stringify(line)}\n`)
    },
    async close() {
      file.end()
      await finished(file)
    }
  }
}
