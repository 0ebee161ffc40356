import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { drain, type WaitingItem } from '#lib/engine/inbox/drain.ts'
import { drainOob } from '#lib/engine/inbox/drain-out-of-band.ts'
import { nextAction } from '#lib/engine/inbox/next-action.ts'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { runTurn } from '#lib/engine/turn/run-turn.ts'
import type { ContextEntry, StepCall } from '#lib/engine/turn/turn.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import type { OobPriority, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Chunk, LoggedEvent, SessionEvent } from '#lib/protocol/session/event.ts'
import { streamParts } from '#packages/demo-model/src/stream-parts.ts'
import { factsWith, newsIn } from '#tests/support/fakes/facts.ts'
import { memoryTurn } from '#tests/support/worlds/memory-turn.ts'

/** What comes in while the model thinks. `pick` chooses among the calls that are open then. */
export type Incoming =
  | { do: 'message'; mode: 'queue' | 'steer' }
  | { do: 'answer'; pick: number }
  | { do: 'oob'; priority: OobPriority }

/** One step: what comes in meanwhile, so many calls it makes, and whether its worker lives to commit it. */
export type Thought = {
  meanwhile: readonly Incoming[]
  calls: number
  lost: 'no' | 'in the middle' | 'at its end'
}

const at = '2026-01-01T00:00:00.000Z'

/**
 * A session on arrays: the real loop, the real drains and prompts and the real fold, around a database that is a list. Messages
 * come one by one until the thoughts are used up; then the model has nothing more to do and what waits runs out.
 */
export async function memorySession(thoughts: readonly Thought[]) {
  const prompts: LanguageModelV4Prompt[] = []
  const entries: ContextEntry[] = []
  const calls: StepCall[] = []
  const log: SessionEvent[] = []
  /** The names of what was sent, and of what a step took in, in that order. */
  const sent: string[] = []
  const taken: string[] = []
  const modeOf = new Map<string, string | null>()
  let inbox: (WaitingItem & { name: string })[] = []
  let epoch = 0
  let counted = 0
  const left = [...thoughts]
  const turn = { id: '', messageId: '', first: true, begun: false }

  const say = (...events: LoggedEvent[]) => {
    for (const event of events) log.push({ ...event, seq: log.length + 1, at })
  }
  const chunk = (chunk: Chunk) => say({ type: 'chunk', messageId: turn.messageId, turnId: turn.id, chunk })
  const add = (entry: object) => entries.push({ id: entries.length + 1, tokens: 0, ...entry } as ContextEntry)
  const newestCalls = (): StepCall[] => {
    const newest = entries.at(-1)
    return newest?.kind === 'step' ? newest.calls : []
  }
  const open = () => calls.filter(call => call.result === null)

  function put(item: Partial<WaitingItem>): string {
    const name = `${item.kind}-${++counted}`
    inbox.push({
      id: counted,
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
  function receive(one: Incoming): void {
    if (one.do === 'message') {
      const name = put({ kind: 'message', mode: one.mode })
      say({ type: 'message', message: userMessage(name, one.mode) })
    } else if (one.do === 'oob') {
      const name = put({ kind: 'oob', payload: { priority: one.priority, resting: false } })
      say({ type: 'oob', message: oobMessage(name, one.priority) })
    } else {
      const call = open()[one.pick % Math.max(open().length, 1)]
      if (call === undefined) return
      call.result = { type: 'output', value: `answer to ${call.toolCallId}` }
      put({ kind: 'answer', toolCallId: call.toolCallId })
      say({ type: 'call', call: wireCall(call, places.get(call.toolCallId) ?? '') })
    }
  }
  const places = new Map<string, string>()

  const waitsAs = (mode: string) => inbox.some(item => item.kind === 'message' && item.mode === mode)
  function begin() {
    const drained = drain(inbox, { firstStep: turn.first })
    const late = calls.filter(
      call => call.deferred && drained.answers.some(item => item.toolCallId === call.toolCallId)
    )
    const seen = newestCalls()
    const isOpen = seen.some(call => call.result === null)
    const facts = factsWith({
      turn: { isNew: turn.first, isCutOff: turn.begun, isRetrying: false },
      messages: {
        steering: waitsAs('steer'),
        interrupting: waitsAs('start') || waitsAs('interrupt'),
        queued: waitsAs('queue')
      },
      lateAnswer: late.length > 0,
      waits: isOpen,
      results: seen.length > 0 && !isOpen,
      news: newsIn(inbox)
    })
    const action = nextAction(facts)
    if (action !== 'step') return { kind: action === 'park' ? ('parked' as const) : ('done' as const) }
    const news = drainOob(inbox, facts)
    if (turn.begun) {
      chunk({ type: 'reset-step' })
      chunk({ type: 'finish-step' })
    }
    const isNew = turn.first || drained.messages.length > 0 || late.length > 0
    if (isNew) turn.messageId = `a-${++counted}`
    for (const { itemId } of drained.messages) {
      add({ kind: 'user', parts: [{ type: 'text', text: itemId }] })
      say({ type: 'message', message: userMessage(itemId), placed: true })
    }
    for (const { toolCallId, toolName, result } of late)
      add({ kind: 'answer', toolCallId, toolName, state: 'answered', result })
    if (isNew) chunk({ type: 'start', messageId: turn.messageId })
    for (const { itemId, payload } of news) {
      const told = {
        ...oobMessage(itemId, payload.priority ?? 'normal', 'injected'),
        messageId: turn.messageId
      }
      add({ kind: 'oob', message: told })
      chunk({ type: 'data-oob', id: itemId, data: told })
      say({ type: 'oob', message: told })
    }
    chunk({ type: 'start-step' })
    const gone = [...drained.messages, ...drained.answers, ...news] as typeof inbox
    taken.push(...gone.filter(({ kind }) => kind !== 'answer').map(({ name }) => name))
    inbox = inbox.filter(item => !gone.includes(item))
    for (const call of open()) call.deferred = true
    Object.assign(turn, { first: false, begun: true })
    return {
      kind: 'step' as const,
      messageId: turn.messageId,
      entries: structuredClone(entries),
      summary: '',
      oobStart: 0,
      round: 1,
      said: []
    }
  }

  /** Asked, it receives what comes in meanwhile, and answers. */
  function model(worker: { lost: boolean; thought?: Thought | undefined }): LanguageModelV4 {
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
          ...Array.from({ length: worker.thought?.calls ?? 0 }, () => ({
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

  /** One worker's run of the loop, to its end or its death. */
  async function run(): Promise<'done' | 'parked' | 'lost'> {
    const mine = ++epoch
    const worker: { lost: boolean; thought?: Thought | undefined } = { lost: false }
    const fence = () => {
      if (mine !== epoch || worker.lost) throw new LeaseLost(1)
    }
    const { turn: loop, step } = memoryTurn([], {
      model: { open: () => model(worker) },
      async begin() {
        fence()
        const begun = begin()
        if (begun.kind === 'step') {
          worker.thought = left.shift()
          for (const one of worker.thought?.meanwhile ?? []) receive(one)
          worker.lost = worker.thought?.lost === 'in the middle'
        }
        return begun.kind === 'step' ? { ...step, ...begun } : begun
      },
      async commit(step) {
        if (worker.thought?.lost === 'at its end') worker.lost = true
        fence()
        const made = step.calls.map(
          ({ toolCallId, toolName }): StepCall => ({ toolCallId, toolName, deferred: false, result: null })
        )
        add({ kind: 'step', content: step.content, calls: made })
        calls.push(...made)
        for (const call of made) {
          places.set(call.toolCallId, turn.messageId)
          say({ type: 'call', call: wireCall(call, turn.messageId) })
        }
        chunk({ type: 'finish-step' })
        turn.begun = false
      }
    })
    try {
      for await (const event of runTurn(loop)) {
        if (event.type === 'chunk')
          say({ type: 'chunk', turnId: turn.id, messageId: event.messageId, chunk: event.chunk })
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

  const startsATurn = () =>
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

  receive({ do: 'message', mode: 'queue' })
  for (;;) {
    if (!startsATurn()) {
      if (left.length === 0) break
      receive({ do: 'message', mode: 'queue' })
    }
    Object.assign(turn, { id: `t-${++counted}`, first: true, begun: false })
    say({ type: 'status', status: 'running', turnId: turn.id })
    let end = await run()
    while (end === 'lost') end = await run()
    chunk({ type: 'finish' })
    const status = open().length > 0 ? 'parked' : 'idle'
    say({ type: 'status', status, turnId: turn.id, outcome: end })
  }
  return { prompts, entries, calls, log, sent, taken, modeOf, waits: inbox.map(({ name }) => name) }
}

const userMessage = (name: string, queued?: 'queue' | 'steer') => ({
  id: name,
  role: 'user' as const,
  metadata: { createdAt: at, ...(queued === undefined ? {} : { queued }) },
  parts: [{ type: 'text' as const, text: name }]
})
const oobMessage = (
  id: string,
  priority: OobPriority,
  status: OutOfBand['status'] = 'visible'
): OutOfBand => ({
  ...{ id, priority, status, source: 'external', sourceId: 'ci', content: id },
  ...{ queuedAt: at, visibleAt: at, expiresAt: at }
})
const wireCall = ({ toolCallId, toolName, result }: StepCall, messageId: string): Call => ({
  ...{ toolCallId, toolName, messageId, kind: 'question', where: 'approver', input: {}, turnId: 't' },
  ...{ since: at, deadline: at, onDeadline: 'declined', state: result === null ? 'open' : 'answered' },
  ...(result?.type === 'output' ? { output: result.value } : {})
})
