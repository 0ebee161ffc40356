import type { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { WhenBusy } from '#lib/protocol/session/session.ts'
import type { Made } from './commands.ts'

/** A call as the reference knows it. `result`: what the model is to be told; null while nobody knows. */
export type Call = {
  name: string
  made: Made
  /** The out-of-band message that it confirms. */
  confirms?: string | undefined
  state: string
  result: string | null
  /** When it was settled, counted. */
  settled: number
  /** What a step saw open is "still waiting" at its place for ever; its answer is told later. */
  deferred: boolean
}
type Entry = { kind: 'user' | 'answer' | 'note' | 'oob'; line: string } | Step
type Step = { kind: 'step'; text: string; calls: Call[] }
type Message = { name: string; mode: 'start' | 'queue' | 'steer' | 'interrupt' }
type Oob = { name: string; priority: OobPriority; resting: boolean }
type Outcome = 'done' | 'parked' | 'failed' | 'cancelled' | 'interrupted'

const urgency: OobPriority[] = ['critical', 'high', 'normal', 'low']

/**
 * A session as docs/concepts/engine.md#steps says it is to be, in plain data and without time: what is refused, what starts a step, and what
 * every prompt holds. A step of the model lasts until the schedule says what it came to, so what the session is now follows
 * from what happened and in which order; `settle` is called after everything that happens.
 */
export class Reference {
  /** Every prompt that the model is asked with, line by line. */
  prompts: string[][] = []
  status = 'idle'
  calls: Call[] = []
  /** What became of each out-of-band message. */
  oobs = new Map<string, string>()
  messages: Message[] = []
  /** `asked`: the model is thinking. `first`: no step of it has begun. */
  turn: { first: boolean; asked: boolean; retrying: boolean; attempts: number; again: boolean } | undefined
  outcomes: Outcome[] = []
  #entries: Entry[] = []
  /** Messages that were taken back. */
  #gone = new Set<string>()
  #answers: Call[] = []
  #oob: Oob[] = []
  #retries = 0
  #settled = 0

  // What people and systems do. Each says how it is answered.

  send(name: string, whenBusy: WhenBusy): number {
    if (this.turn !== undefined && whenBusy === 'reject') return 409
    const mode = this.turn !== undefined && whenBusy !== 'reject' ? whenBusy : 'start'
    this.messages.push({ name, mode })
    if (mode === 'interrupt') this.#stop('interrupted')
    return 202
  }

  takeBack(name: string): number {
    const at = this.messages.findIndex(message => message.name === name)
    if (this.#gone.has(name)) return 404
    if (at < 0) return 409
    this.messages.splice(at, 1)
    this.#gone.add(name)
    return 200
  }

  modelSays(text: string, calls: readonly Pick<Call, 'name' | 'made' | 'confirms'>[]): void {
    if (!this.turn?.asked) return
    const step: Step = { kind: 'step', text, calls: calls.map(opened) }
    this.turn = { ...this.turn, asked: false, attempts: 0 }
    this.#entries.push(step)
    this.calls.push(...step.calls)
  }

  modelFails(passes: boolean): void {
    if (!this.turn?.asked) return
    this.turn.asked = false
    if (passes && this.turn.attempts < 3) {
      this.turn.retrying = true
      this.turn.attempts += 1
      this.status = 'failed'
    } else this.#end('failed')
  }

  retry(): number {
    if (this.status !== 'failed') return 409
    this.#retries += 1
    return 200
  }

  retryComes(): void {
    if (this.turn?.retrying) this.#retries += 1
  }

  /** `state`: what the call becomes; `result`: what the model is told, null while our code has yet to run. */
  settleCall(call: Call, state: string, result: string | null): number {
    if (call.state !== 'open') return 409
    Object.assign(call, { state, result, settled: ++this.#settled })
    this.#answers.push(call)
    if (this.turn === undefined && this.status === 'parked' && !this.#isWaiting()) this.status = 'idle'
    return 200
  }

  /** `calls`: those that are cancelled with it. */
  cancel(calls: readonly Call[]): void {
    const runs = this.turn !== undefined
    for (const call of calls) this.settleCall(call, 'cancelled', 'cancelled')
    if (runs) this.#stop('cancelled')
  }

  outOfBand(name: string, priority: OobPriority, abort: boolean): void {
    this.#oob.push({ name, priority, resting: abort })
    this.oobs.set(name, 'visible')
    if (abort) this.#stop('cancelled')
  }

  oobGoes(name: string, as: 'cancelled' | 'expired'): number {
    if (this.oobs.get(name) === as) return 200
    if (this.oobs.get(name) !== 'visible') return 409
    this.#oob = this.#oob.filter(oob => oob.name !== name)
    this.oobs.set(name, as)
    return 200
  }

  forget(): void {
    Object.assign(this, { status: 'idle', calls: [], oobs: new Map(), messages: [], turn: undefined })
    this.outcomes = []
    this.#entries = []
    this.#answers = []
    this.#oob = []
    this.#retries = 0
  }

  /** What the agent said, step by step. */
  said = (): string[] => this.#entries.flatMap(entry => (entry.kind === 'step' ? [entry.text] : []))

  /** Its worker is gone: a step that was begun is begun anew. */
  ownerGone(): void {
    if (this.turn?.asked) Object.assign(this.turn, { asked: false, again: true })
  }

  /** Until the model is asked, or nothing can start. */
  settle(): void {
    // Nobody looks at a turn that waits to be tried again, unless something can start.
    if (this.turn?.retrying && !this.#canStart()) return
    while (this.turn?.asked !== true) {
      if (this.turn === undefined) {
        if (!this.#canStart()) return
        this.turn = { first: true, asked: false, retrying: false, attempts: 0, again: false }
        this.status = 'running'
      }
      if (this.#runTools()) continue
      if (this.#step()) continue
      if (this.turn.retrying) {
        this.status = 'failed'
        return
      }
      this.#end(this.#newestCalls().some(call => call.result === null) ? 'parked' : 'done')
    }
  }

  // What follows from it.

  #newestCalls(): Call[] {
    const newest = this.#entries.at(-1)
    return newest?.kind === 'step' ? newest.calls : []
  }

  #isWaiting = () => this.calls.some(call => call.state === 'open')
  #toRun = () =>
    this.calls.filter(({ state, result }) => (state === 'approved' || state === 'ours') && result === null)
  #resultsAreIn = () =>
    this.#newestCalls().length > 0 && this.#newestCalls().every(call => call.result !== null)

  /** Whether anything can: of out-of-band input what is critical; from `high` on where a turn lives or the newest step waits;
   * any in a turn that goes on. */
  #canStart(): boolean {
    const lives = this.turn !== undefined
    const waits = this.#newestCalls().some(call => call.result === null)
    return (
      this.#toRun().length > 0 ||
      this.messages.some(({ mode }) => mode !== 'queue' || !lives) ||
      this.#retries > 0 ||
      this.#answers.some(call => call.deferred) ||
      (this.status !== 'failed' && this.#resultsAreIn()) ||
      this.#oob.some(
        ({ resting, priority }) =>
          !resting && (priority === 'critical' || (priority === 'high' && (lives || waits)))
      )
    )
  }

  #runTools(): boolean {
    const calls = this.#toRun()
    const critical = this.#oob.some(({ resting, priority }) => !resting && priority === 'critical')
    for (const call of calls) {
      if (critical) Object.assign(call, { state: 'failed', result: 'superseded' })
      else if (call.state === 'approved') call.result = 'ran'
      else Object.assign(call, { state: 'answered', result: 'ran' })
      if (!critical && call.confirms !== undefined) this.oobs.set(call.confirms, 'acknowledged')
    }
    return calls.length > 0
  }

  /** The next step, if anything starts one: what it takes in becomes part of the prompt, what is open is deferred. */
  #step(): boolean {
    const turn = this.turn as NonNullable<Reference['turn']>
    const steers = this.messages.filter(({ mode }) => mode === 'steer')
    const own = turn.first
      ? (['start', 'interrupt', 'queue'] as const)
          .map(mode => this.messages.find(message => message.mode === mode))
          .find(message => message !== undefined)
      : undefined
    const messages = this.messages.filter(message => message === own || steers.includes(message))
    const late = this.#answers.filter(call => call.deferred).sort((a, b) => a.settled - b.settled)
    const goesOn =
      messages.length > 0 || this.#retries > 0 || turn.again || late.length > 0 || this.#resultsAreIn()
    const oob = this.#oobToTell(turn, goesOn)
    if (!goesOn && oob.length === 0) return false

    const told: Entry[] = oob.map(({ name }) => ({ kind: 'oob', line: `oob ${name}` }))
    this.#entries.push(
      ...(turn.first ? told : []),
      ...messages.map(({ name }): Entry => ({ kind: 'user', line: `user ${name}` })),
      ...late.map(answerOf),
      ...(turn.first ? [] : told)
    )
    for (const { name } of oob) this.oobs.set(name, 'injected')
    this.#oob = this.#oob.filter(one => !oob.includes(one))
    this.messages = this.messages.filter(message => !messages.includes(message))
    this.#answers = []
    this.#retries = 0
    this.#defer()
    this.status = 'running'
    this.turn = { ...turn, first: false, asked: true, retrying: false, again: false }
    this.prompts.push(this.#entries.flatMap(linesOf))
    return true
  }

  #oobToTell(turn: NonNullable<Reference['turn']>, goesOn: boolean): Oob[] {
    const all = urgency.flatMap(priority => this.#oob.filter(one => one.priority === priority))
    const urgent = all.filter(({ priority }) => priority !== 'low')
    if (goesOn) return turn.first ? all : urgent
    const waits = turn.retrying || this.#newestCalls().some(call => call.result === null)
    const may = ({ resting, priority }: Oob) =>
      !resting && (!waits || priority === 'critical' || priority === 'high')
    if (!all.some(may)) return []
    return turn.first || !urgent.some(may) ? all : urgent
  }

  #defer(): void {
    for (const call of this.calls) if (call.result === null) call.deferred = true
  }

  #stop(outcome: 'cancelled' | 'interrupted'): void {
    if (this.turn === undefined) return
    if (outcome === 'cancelled')
      for (const call of this.#toRun()) Object.assign(call, { state: 'failed', result: 'not run' })
    const taken = this.messages.filter(({ mode }) => mode === 'start' || mode === 'steer')
    this.messages = this.messages.filter(message => !taken.includes(message))
    this.#entries.push(...taken.map(({ name }): Entry => ({ kind: 'user', line: `user ${name}` })))
    if (outcome === 'cancelled') {
      const late = this.#answers.filter(call => call.deferred).sort((a, b) => a.settled - b.settled)
      this.#entries.push(...late.map(answerOf), { kind: 'note', line: 'note' })
      this.#answers = []
      this.#retries = 0
      this.#defer()
    }
    this.#end(outcome)
  }

  #end(outcome: Outcome): void {
    this.turn = undefined
    this.outcomes.push(outcome)
    this.status = outcome === 'failed' ? 'failed' : this.#isWaiting() ? 'parked' : 'idle'
  }
}

/** An unknown tool's call is answered where it is opened, a confirmation is carried out at once. */
const opened = ({ name, made, confirms }: Pick<Call, 'name' | 'made' | 'confirms'>): Call => ({
  name,
  made,
  confirms,
  state: made === 'unknown' ? 'failed' : made === 'confirm' ? 'ours' : 'open',
  result: made === 'unknown' ? 'unknown' : null,
  settled: 0,
  deferred: false
})

const answerOf = ({ name, result }: Call): Entry => ({ kind: 'answer', line: `answer ${name}: ${result}` })

function linesOf(entry: Entry): string[] {
  if (entry.kind !== 'step') return [entry.line]
  return [
    `agent ${entry.text}`,
    ...entry.calls.map(({ name }) => `call ${name}`),
    ...entry.calls.map(
      call => `result ${call.name}: ${call.deferred ? 'waiting' : (call.result ?? 'waiting')}`
    )
  ]
}
