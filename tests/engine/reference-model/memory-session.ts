import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { OobPriority, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Chunk, LoggedEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { drain, type WaitingItem } from '#lib/engine/inbox/drain.ts'
import { drainOob } from '#lib/engine/inbox/drain-out-of-band.ts'
import { nextAction } from '#lib/engine/inbox/next-action.ts'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { runTurn } from '#lib/engine/turn/run-turn.ts'
import type { ContextEntry, StepCall } from '#lib/engine/turn/turn.ts'
import { streamParts } from '#packages/demo-model/src/stream-parts.ts'
import { factsWith, pendingOutOfBand } from '#tests/support/fakes/facts.ts'
import { memoryTurn } from '#tests/support/servers/memory-turn.ts'

/** Input that arrives while the model thinks. `pick` selects among the calls that are open at that time. */
export type Incoming =
  | { do: 'message'; mode: 'queue' | 'steer' }
  | { do: 'answer'; pick: number }
  | { do: 'oob'; priority: OobPriority }

/**
 * One step: the input that arrives during it, how many calls it makes, and whether its worker survives to
 * commit it.
 */
export type ScriptedStep = {
  inputs: readonly Incoming[]
  calls: number
  lost: 'no' | 'in the middle' | 'at its end'
}

const timestamp = '2026-01-01T00:00:00.000Z'

/**
 * Plays a session on arrays: the real loop, drains, prompts and fold, with lists as the database. Messages
 * arrive one by one until the thoughts are used up; then the model makes no further calls and pending input
 * drains.
 */
export async function memorySession(scriptedSteps: readonly ScriptedStep[]) {
  const prompts: LanguageModelV4Prompt[] = []
  const entries: ContextEntry[] = []
  const calls: StepCall[] = []
  const log: SessionEvent[] = []
  /** The names of accepted inputs, and below of those that steps consumed, in order. */
  const sent: string[] = []
  const consumedNames: string[] = []
  const modeOf = new Map<string, string | null>()
  let inbox: (WaitingItem & { name: string })[] = []
  let epoch = 0
  let counter = 0
  const remaining = [...scriptedSteps]
  const turn = { id: '', messageId: '', first: true, hasStarted: false }

  const append = (...events: LoggedEvent[]) => {
    for (const event of events) log.push({ ...event, seq: log.length + 1, at: timestamp })
  }
  const chunk = (chunk: Chunk) => append({ type: 'chunk', messageId: turn.messageId, turnId: turn.id, chunk })
  const add = (entry: object) => entries.push({ id: entries.length + 1, tokens: 0, ...entry } as ContextEntry)
  const newestCalls = (): StepCall[] => {
    const newest = entries.at(-1)
    return newest?.kind === 'step' ? newest.calls : []
  }
  const openCalls = () => calls.filter(call => call.result === null)

  function enqueue(item: Partial<WaitingItem>): string {
    const name = `${item.kind}-${++counter}`
    inbox.push({
      id: counter,
      itemId: name,
      mode: null,
      messageId: null,
      toolCallId: null,
      payload: {},
      name,
      ...item
    } as (typeof inbox)[0])
    if (item.kind !== 'answer') sent.push(name)
    modeOf.set(name, item.mode ?? null)
    return name
  }
  function accept(incoming: Incoming): void {
    if (incoming.do === 'message') {
      const name = enqueue({ kind: 'message', mode: incoming.mode })
      append({ type: 'message', message: userMessage(name, incoming.mode) })
    } else if (incoming.do === 'oob') {
      const name = enqueue({ kind: 'oob', payload: { priority: incoming.priority, resting: false } })
      append({ type: 'oob', message: oobMessage(name, incoming.priority) })
    } else {
      const call = openCalls()[incoming.pick % Math.max(openCalls().length, 1)]
      if (call === undefined) return
      call.result = { type: 'output', value: `answer to ${call.toolCallId}` }
      enqueue({ kind: 'answer', toolCallId: call.toolCallId })
      append({ type: 'call', call: wireCall(call, messageIdOf.get(call.toolCallId) ?? '') })
    }
  }
  const messageIdOf = new Map<string, string>()

  const hasMessage = (mode: string) => inbox.some(item => item.kind === 'message' && item.mode === mode)
  function beginStep() {
    const drained = drain(inbox, { firstStep: turn.first })
    const lateAnswers = calls.filter(
      call => call.deferred && drained.answers.some(item => item.toolCallId === call.toolCallId)
    )
    const previousCalls = newestCalls()
    const isOpen = previousCalls.some(call => call.result === null)
    const drainFacts = factsWith({
      turn: { isNew: turn.first, isCutOff: turn.hasStarted, isRetrying: false },
      messages: {
        steering: hasMessage('steer'),
        interrupting: hasMessage('start') || hasMessage('interrupt'),
        queued: hasMessage('queue')
      },
      lateAnswer: lateAnswers.length > 0,
      hasOpenCall: isOpen,
      results: previousCalls.length > 0 && !isOpen,
      outOfBand: pendingOutOfBand(inbox)
    })
    const action = nextAction(drainFacts)
    if (action !== 'step') return { kind: action === 'park' ? ('parked' as const) : ('done' as const) }
    const outOfBand = drainOob(inbox, drainFacts)
    if (turn.hasStarted) {
      chunk({ type: 'reset-step' })
      chunk({ type: 'finish-step' })
    }
    const isNew = turn.first || drained.messages.length > 0 || lateAnswers.length > 0
    if (isNew) turn.messageId = `a-${++counter}`
    for (const { itemId } of drained.messages) {
      add({ kind: 'user', parts: [{ type: 'text', text: itemId }] })
      append({ type: 'message', message: userMessage(itemId), placed: true })
    }
    for (const { toolCallId, toolName, result } of lateAnswers)
      add({ kind: 'answer', toolCallId, toolName, state: 'answered', result })
    if (isNew) chunk({ type: 'start', messageId: turn.messageId })
    for (const { itemId, payload } of outOfBand) {
      const message = {
        ...oobMessage(itemId, payload.priority ?? 'normal', 'injected'),
        messageId: turn.messageId
      }
      add({ kind: 'oob', message })
      chunk({ type: 'data-oob', id: itemId, data: message })
      append({ type: 'oob', message })
    }
    chunk({ type: 'start-step' })
    const consumed = [...drained.messages, ...drained.answers, ...outOfBand] as typeof inbox
    consumedNames.push(...consumed.filter(({ kind }) => kind !== 'answer').map(({ name }) => name))
    inbox = inbox.filter(item => !consumed.includes(item))
    for (const call of openCalls()) call.deferred = true
    Object.assign(turn, { first: false, hasStarted: true })
    return {
      kind: 'step' as const,
      messageId: turn.messageId,
      entries: structuredClone(entries),
      summary: '',
      shortOob: { upTo: 0, characters: 100 },
      round: 1
    }
  }

  /** Returns a model that receives the input that arrives meanwhile, and then replies. */
  function model(worker: { lost: boolean; step?: ScriptedStep | undefined }): LanguageModelV4 {
    return {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'test',
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('The loop streams.')),
      async doStream({ prompt, abortSignal }) {
        prompts.push(structuredClone(prompt.filter(({ role }) => role !== 'system')))
        const n = prompts.length
        const parts = [
          { kind: 'text' as const, text: `Thought ${n}.` },
          ...Array.from({ length: worker.step?.calls ?? 0 }, () => ({
            kind: 'call' as const,
            tool: 'ask',
            input: { n }
          }))
        ]
        const stream = streamParts(parts, 1, abortSignal)
        return {
          stream: new ReadableStream({
            async pull(controller) {
              const { done, value } = await stream.next()
              if (done || (worker.lost && value.type === 'text-end')) controller.close()
              else controller.enqueue(value)
            }
          })
        }
      }
    }
  }

  /** Runs the loop as one worker until the turn ends or the worker dies. */
  async function run(): Promise<'done' | 'parked' | 'lost'> {
    const ownEpoch = ++epoch
    const worker: { lost: boolean; step?: ScriptedStep | undefined } = { lost: false }
    const fence = () => {
      if (ownEpoch !== epoch || worker.lost) throw new LeaseLost(1)
    }
    const { turn: loop, step } = memoryTurn([], {
      model: { open: () => model(worker) },
      async begin() {
        fence()
        const beginning = beginStep()
        if (beginning.kind === 'step') {
          worker.step = remaining.shift()
          for (const incoming of worker.step?.inputs ?? []) accept(incoming)
          worker.lost = worker.step?.lost === 'in the middle'
        }
        return beginning.kind === 'step' ? { ...step, ...beginning } : beginning
      },
      async commit(step) {
        if (worker.step?.lost === 'at its end') worker.lost = true
        fence()
        const newCalls = step.calls.map(
          ({ toolCallId, toolName }): StepCall => ({ toolCallId, toolName, deferred: false, result: null })
        )
        add({ kind: 'step', content: step.content, calls: newCalls })
        calls.push(...newCalls)
        for (const call of newCalls) {
          messageIdOf.set(call.toolCallId, turn.messageId)
          append({ type: 'call', call: wireCall(call, turn.messageId) })
        }
        chunk({ type: 'finish-step' })
        turn.hasStarted = false
      }
    })
    try {
      for await (const event of runTurn(loop)) {
        if (event.type === 'chunk')
          append({ type: 'chunk', turnId: turn.id, messageId: event.messageId, chunk: event.chunk })
        else if (worker.lost) return 'lost'
        else if (event.end.kind === 'done' || event.end.kind === 'parked') return event.end.kind
        else throw new Error(`The loop ended as ${JSON.stringify(event.end)}.`)
      }
      throw new Error('The loop ended without an end.')
    } catch (error) {
      if (error instanceof LeaseLost) return 'lost'
      throw error
    }
  }

  const hasTurnWork = () =>
    inbox.some(({ kind }) => kind === 'message') ||
    inbox.some(
      item =>
        item.kind === 'answer' && calls.some(call => call.deferred && call.toolCallId === item.toolCallId)
    ) ||
    (newestCalls().length > 0 && newestCalls().every(call => call.result !== null)) ||
    inbox.some(
      ({ kind, payload: { priority } }) =>
        kind === 'oob' &&
        (priority === 'critical' || (priority === 'high' && newestCalls().some(call => call.result === null)))
    )

  accept({ do: 'message', mode: 'queue' })
  for (;;) {
    if (!hasTurnWork()) {
      if (remaining.length === 0) break
      accept({ do: 'message', mode: 'queue' })
    }
    Object.assign(turn, { id: `t-${++counter}`, first: true, hasStarted: false })
    append({ type: 'status', status: 'running', turnId: turn.id })
    let end = await run()
    while (end === 'lost') end = await run()
    chunk({ type: 'finish' })
    const status = openCalls().length > 0 ? 'parked' : 'idle'
    append({ type: 'status', status, turnId: turn.id, outcome: end })
  }
  return {
    prompts,
    entries,
    calls,
    log,
    sent,
    consumed: consumedNames,
    modeOf,
    pending: inbox.map(({ name }) => name)
  }
}

const userMessage = (name: string, queued?: 'queue' | 'steer') => ({
  id: name,
  role: 'user' as const,
  metadata: { createdAt: timestamp, ...(queued === undefined ? {} : { queued }) },
  parts: [{ type: 'text' as const, text: name }]
})
const oobMessage = (
  id: string,
  priority: OobPriority,
  status: OutOfBand['status'] = 'visible'
): OutOfBand => ({
  ...{ id, priority, status, source: 'external', sourceId: 'ci', content: id },
  ...{ sessionId: 's', timestamp: Date.parse(timestamp) },
  ...{ queuedAt: timestamp, visibleAt: timestamp, expiresAt: timestamp }
})
const wireCall = ({ toolCallId, toolName, result }: StepCall, messageId: string): Call => ({
  ...{ toolCallId, toolName, messageId, kind: 'question', where: 'approver', input: {}, turnId: 't' },
  ...{
    since: timestamp,
    deadline: timestamp,
    onDeadline: 'declined',
    state: result === null ? 'open' : 'answered'
  },
  ...(result?.type === 'output' ? { output: result.value } : {})
})
