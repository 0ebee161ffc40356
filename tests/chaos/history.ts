import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Fault } from './plan.ts'

/** What a client asked for. `tell`: out of band; `take-back`: what was told so. */
export type Verb = 'send' | 'answer' | 'cancel' | 'callback' | 'tell' | 'take-back'

/**
 * One operation of a client, with all its attempts. `ok`: it was accepted. `failed`: it was refused, and no attempt is in
 * doubt. `unknown`: an attempt got no answer, or none that says what happened. Times are milliseconds since 1970.
 */
export type Operation = {
  kind: 'operation'
  verb: Verb
  session: string
  /** Who asked. One sender asks for one thing after the other. */
  sender: string
  /** Of a message: what makes it once, and a word of its text; who takes it back names it so. Of an answer: the call's ID. */
  key: string
  began: number
  ended: number
  attempts: number
  outcome: 'ok' | 'failed' | 'unknown'
  /** How a message was sent while the session was busy. */
  mode?: 'queue' | 'steer' | 'interrupt' | 'reject'
  /** How urgent what is told is; `abort`: it stops the running turn, and starts nothing. */
  priority?: OobPriority
  abort?: boolean
  /** What an answer said. */
  value?: string
  /** What was answered to an accepted one: the message it became, the turn that was stopped. */
  messageId?: string
  turnId?: string
  /** Which server gave the last answer. */
  web?: number
  /** What a refusal said. */
  why?: string
}

/** What one connection of a reader brought: the events behind `after`, each as its seq and the digest of what it says. */
export type Followed = {
  kind: 'followed'
  session: string
  reader: string
  after: number
  seen: [seq: number, digest: string][]
  began: number
  ended: number
}

/** A fault: from when until when. A kill is over when what was killed is there again. */
export type Faulted = { kind: 'fault'; fault: Fault; target: number; began: number; ended: number }

export type Line = Operation | Followed | Faulted

/** The lines of a run as they come, kept here and written to a file of JSON lines. */
export type History = {
  path: string
  lines: Line[]
  add(line: Line): void
  close(): Promise<void>
}

/** Begins a history with what makes the run again. */
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
