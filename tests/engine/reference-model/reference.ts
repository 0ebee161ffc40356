import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { WhenBusy } from '@waystation/protocol/session/session.ts'
import type { CallOrigin } from './commands.ts'

/** A call in the reference. `result` is what the model receives, or null while it is unknown. */
export type Call = {
  name: string
  made: CallOrigin
  /** The out-of-band message that this call acknowledges. */
  confirms?: string | undefined
  state: string
  result: string | null
  /** The position in the order of settled calls. */
  settled: number
  /**
   * If a step saw the call open, its place shows "still waiting" forever and its answer is delivered later.
   */
  deferred: boolean
}
type Entry = { kind: 'user' | 'answer' | 'note' | 'oob'; line: string } | Step
type Step = { kind: 'step'; text: string; calls: Call[] }
type Message = { name: string; mode: 'start' | 'queue' | 'steer' | 'interrupt' }
type Oob = { name: string; priority: OobPriority; resting: boolean }
type Outcome = 'done' | 'parked' | 'failed' | 'cancelled' | 'interrupted'

const urgency: OobPriority[] = ['critical', 'high', 'normal', 'low']

/**
 * A model of a session as docs/concepts/engine.md#steps specifies it, in plain data and without time: which
 * requests fail, what starts a step, and what each prompt contains. A model step lasts until the schedule gives
 * its result, so the state depends only on the order of events. Call `settle` after each event.
 */
export class Reference {
  /** Every prompt that the model received, line by line. */
  prompts: string[][] = []
  status = 'idle'
  calls: Call[] = []
  /** The status of each out-of-band message. */
  oobs = new Map<string, string>()
  messages: Message[] = []
  /** `modelRunning`: a model call is running. `first`: the turn has started no step yet. */
  turn:
    | { first: boolean; modelRunning: boolean; retrying: boolean; attempts: number; again: boolean }
    | undefined
  outcomes: Outcome[] = []
  #entries: Entry[] = []
  /** Deleted messages. */
  #deleted = new Set<string>()
  #answers: Call[] = []
  #oob: Oob[] = []
  #retries = 0
  #settled = 0

  // Requests by users and systems. Each returns the HTTP status.

  send(name: string, whenBusy: WhenBusy): number {
    if (this.turn !== undefined && whenBusy === 'reject') return 409
    const mode = this.turn !== undefined && whenBusy !== 'reject' ? whenBusy : 'start'
    this.messages.push({ name, mode })
    if (mode === 'interrupt') this.#stop('interrupted')
    return 202
  }

  deleteMessage(name: string): number {
    const index = this.messages.findIndex(message => message.name === name)
    if (this.#deleted.has(name)) return 404
    if (index < 0) return 409
    this.messages.splice(index, 1)
    this.#deleted.add(name)
    return 200
  }

  completeStep(text: string, calls: readonly Pick<Call, 'name' | 'made' | 'confirms'>[]): void {
    if (!this.turn?.modelRunning) return
    const step: Step = { kind: 'step', text, calls: calls.map(opened) }
    this.turn = { ...this.turn, modelRunning: false, attempts: 0 }
    this.#entries.push(step)
    this.calls.push(...step.calls)
  }

  failStep(isTemporary: boolean): void {
    if (!this.turn?.modelRunning) return
    this.turn.modelRunning = false
    if (isTemporary && this.turn.attempts < 3) {
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

  retryWhenDue(): void {
    if (this.turn?.retrying) this.#retries += 1
  }

  /**
   * Settles a call. `state` is its new state; `result` is what the model receives, null while the server still
   * has to run it.
   */
  settleCall(call: Call, state: string, result: string | null): number {
    if (call.state !== 'open') return 409
    Object.assign(call, { state, result, settled: ++this.#settled })
    this.#answers.push(call)
    if (this.turn === undefined && this.status === 'parked' && !this.#isWaiting()) this.status = 'idle'
    return 200
  }

  /** Cancels the turn, together with these calls. */
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

  endOutOfBand(name: string, as: 'cancelled' | 'expired'): number {
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

  /** The text of the agent, step by step. */
  agentTexts = (): string[] => this.#entries.flatMap(entry => (entry.kind === 'step' ? [entry.text] : []))

  /** The worker of the session died: a started step starts again. */
  loseOwner(): void {
    if (this.turn?.modelRunning) Object.assign(this.turn, { modelRunning: false, again: true })
  }

  /** Advances the session until the model is called or nothing can start. */
  settle(): void {
    // A turn that waits for a retry changes nothing, unless something can start.
    if (this.turn?.retrying && !this.#canStart()) return
    while (this.turn?.modelRunning !== true) {
      if (this.turn === undefined) {
        if (!this.#canStart()) return
        this.turn = { first: true, modelRunning: false, retrying: false, attempts: 0, again: false }
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

  // Consequences of these requests.

  #newestCalls(): Call[] {
    const newest = this.#entries.at(-1)
    return newest?.kind === 'step' ? newest.calls : []
  }

  #isWaiting = () => this.calls.some(call => call.state === 'open')
  #toRun = () =>
    this.calls.filter(({ state, result }) => (state === 'approved' || state === 'ours') && result === null)
  #resultsAreIn = () =>
    this.#newestCalls().length > 0 && this.#newestCalls().every(call => call.result !== null)

  /**
   * Returns true if a step can start. A `critical` out-of-band message always starts one; a `high` one does in
   * a running turn or while the newest step waits.
   */
  #canStart(): boolean {
    const isRunning = this.turn !== undefined
    const isWaiting = this.#newestCalls().some(call => call.result === null)
    return (
      this.#toRun().length > 0 ||
      this.messages.some(({ mode }) => mode !== 'queue' || !isRunning) ||
      this.#retries > 0 ||
      this.#answers.some(call => call.deferred) ||
      (this.status !== 'failed' && this.#resultsAreIn()) ||
      this.#oob.some(
        ({ resting, priority }) =>
          !resting && (priority === 'critical' || (priority === 'high' && (isRunning || isWaiting)))
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

  /**
   * Starts the next step if there is a reason: its input becomes part of the prompt, and open calls are
   * deferred.
   */
  #step(): boolean {
    const turn = this.turn as NonNullable<Reference['turn']>
    const steers = this.messages.filter(({ mode }) => mode === 'steer')
    const startMessage = turn.first
      ? (['start', 'interrupt', 'queue'] as const)
          .map(mode => this.messages.find(message => message.mode === mode))
          .find(message => message !== undefined)
      : undefined
    const messages = this.messages.filter(message => message === startMessage || steers.includes(message))
    const lateAnswers = this.#answers.filter(call => call.deferred).sort((a, b) => a.settled - b.settled)
    const continues =
      messages.length > 0 || this.#retries > 0 || turn.again || lateAnswers.length > 0 || this.#resultsAreIn()
    const oob = this.#nextOutOfBand(turn, continues)
    if (!continues && oob.length === 0) return false

    const oobEntries: Entry[] = oob.map(({ name }) => ({ kind: 'oob', line: `oob ${name}` }))
    this.#entries.push(
      ...(turn.first ? oobEntries : []),
      ...messages.map(({ name }): Entry => ({ kind: 'user', line: `user ${name}` })),
      ...lateAnswers.map(answerOf),
      ...(turn.first ? [] : oobEntries)
    )
    for (const { name } of oob) this.oobs.set(name, 'injected')
    this.#oob = this.#oob.filter(item => !oob.includes(item))
    this.messages = this.messages.filter(message => !messages.includes(message))
    this.#answers = []
    this.#retries = 0
    this.#defer()
    this.status = 'running'
    this.turn = { ...turn, first: false, modelRunning: true, retrying: false, again: false }
    this.prompts.push(this.#entries.flatMap(linesOf))
    return true
  }

  #nextOutOfBand(turn: NonNullable<Reference['turn']>, continues: boolean): Oob[] {
    const byUrgency = urgency.flatMap(priority => this.#oob.filter(item => item.priority === priority))
    const urgent = byUrgency.filter(({ priority }) => priority !== 'low')
    if (continues) return turn.first ? byUrgency : urgent
    const isWaiting = turn.retrying || this.#newestCalls().some(call => call.result === null)
    const isEligible = ({ resting, priority }: Oob) =>
      !resting && (!isWaiting || priority === 'critical' || priority === 'high')
    if (!byUrgency.some(isEligible)) return []
    return turn.first || !urgent.some(isEligible) ? byUrgency : urgent
  }

  #defer(): void {
    for (const call of this.calls) if (call.result === null) call.deferred = true
  }

  #stop(outcome: 'cancelled' | 'interrupted'): void {
    if (this.turn === undefined) return
    if (outcome === 'cancelled')
      for (const call of this.#toRun()) Object.assign(call, { state: 'failed', result: 'not run' })
    const consumed = this.messages.filter(({ mode }) => mode === 'start' || mode === 'steer')
    this.messages = this.messages.filter(message => !consumed.includes(message))
    this.#entries.push(...consumed.map(({ name }): Entry => ({ kind: 'user', line: `user ${name}` })))
    if (outcome === 'cancelled') {
      const lateAnswers = this.#answers.filter(call => call.deferred).sort((a, b) => a.settled - b.settled)
      this.#entries.push(...lateAnswers.map(answerOf), { kind: 'note', line: 'note' })
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

/** A call of an unknown tool fails when it opens, and an acknowledgment runs at once. */
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
