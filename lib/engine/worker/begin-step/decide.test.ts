import type { Answerer } from '@waystation/protocol/call/answerers.ts'
import { expect, test } from 'vitest'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import { factsWith } from '#tests/support/fakes/facts.ts'
import { guide } from '#tests/support/servers/guide.ts'
import { type Decision, decide, isBlocked, type StepPlan } from './decide.ts'
import type { StepFacts } from './gather.ts'
import type { StoredMessage } from './place-messages.ts'
import type { TurnRow } from './step-state.ts'

const at = '2026-01-01T00:00:00.000Z'
const live = { isNew: false, isCutOff: false, isRetrying: false }
const ann: Answerer = { id: 'user:ann' }
/** An alarm that the agent set. */
const alarm: Answerer = { id: 'system:alarm' }

const item = (kind: WaitingItem['kind'], more: Partial<WaitingItem> = {}): WaitingItem => ({
  id: 1,
  itemId: 'item',
  kind,
  mode: kind === 'message' ? 'start' : null,
  messageId: kind === 'message' ? 'said' : null,
  toolCallId: kind === 'answer' ? 'call' : null,
  payload: {},
  ...more
})
const storedMessage = (sender: Answerer | null): StoredMessage => ({
  id: 'said',
  message: {
    id: 'said',
    role: 'user',
    metadata: { createdAt: at, queued: 'queue', sentBy: 'Ann' },
    parts: [{ type: 'text', text: 'Hello' }]
  },
  sender: sender as StoredMessage['sender'],
  isAuthor: true
})
const turnWith = (more: Partial<TurnRow>): TurnRow => ({
  now: at,
  begun: 0,
  committed: 0,
  beganAt: null,
  messageId: null,
  budgetSteps: 0,
  budgetUsd: 0,
  budgetOfYesterday: false,
  runRounds: 0,
  runFrom: null,
  caps: {},
  retryAt: null,
  running: 1,
  overlayMark: null,
  speaker: 'guide',
  handed: null,
  ranOn: null,
  ...more
})
const call = (more: Partial<CallRow>): CallRow =>
  ({
    toolCallId: 'call',
    toolName: 'tool',
    kind: 'approval',
    state: 'approved',
    result: null,
    deferredAt: null,
    duration: null,
    messageId: 'asked',
    ...more
  }) as CallRow

type FactsInput = Partial<Omit<StepFacts, 'turn' | 'session'>> & {
  turn?: Partial<TurnRow>
  session?: Parameters<typeof factsWith>[0]
}

/** Returns the facts of a session at rest without any messages. */
const factsOf = ({ turn, session, ...more }: FactsInput): StepFacts => ({
  lockedSession: { agentId: 'guide', now: at, turnId: 'turn' },
  session: factsWith(session),
  turn: turnWith(turn ?? {}),
  newest: null,
  waiting: [],
  drained: { messages: [], answers: [], retries: [], yields: [] },
  answered: [],
  sent: [],
  window: { tokens: 0, start: 0, summary: '', usage: [] },
  oob: [],
  parked: null,
  retried: null,
  newestStep: 0,
  reached: undefined,
  running: guide,
  previousStep: null,
  newMessageId: 'new',
  ...more
})
const none = { messages: [], answers: [], retries: [], yields: [] }
const withMessage = (sender: Answerer | null, more: FactsInput = {}): FactsInput => ({
  session: { messages: { steering: false, interrupting: true, queued: false } },
  drained: { ...none, messages: [item('message')] },
  sent: [storedMessage(sender)],
  ...more
})
/** At the limit of 25 steps. */
const atLimit = { budgetSteps: 25, messageId: 'writing', begun: 25, committed: 25 }
const step = { id: 7, kind: 'step', messageId: 'written' }
const userEntry = { id: 8, kind: 'user', messageId: 'said' }
const approvedLimit = call({ kind: 'limit', state: 'approved', messageId: 'limit' })

type Row = [guarantee: string, given: FactsInput, decided: object]

const rows: Row[] = [
  [
    'a user message starts a step in a new message, and a run after the newest entry',
    withMessage(ann, { newest: step }),
    { kind: 'step', messageId: 'new', isNew: true, run: { rounds: 0, from: 7, starts: true } }
  ],
  [
    'a queued message is no longer marked as queued',
    withMessage(ann),
    { messages: [{ wasQueued: true, message: { metadata: { createdAt: at, sentBy: 'Ann' } } }] }
  ],
  [
    'results continue the message of their step, and its run',
    {
      session: { turn: live, results: true },
      turn: { ...atLimit, budgetSteps: 1, runRounds: 2 },
      newest: step
    },
    { messageId: 'writing', isNew: false, run: { rounds: 2, starts: false }, budget: { steps: 2 } }
  ],
  [
    'a late answer goes into a new message',
    {
      session: { turn: live, lateAnswer: true },
      turn: { messageId: 'writing' },
      answered: [call({ deferredAt: at, result: { type: 'output', value: 1 } })]
    },
    { messageId: 'new', isNew: true, entries: [{ kind: 'answer' }] }
  ],
  [
    'a result at its original position adds no entry',
    {
      session: { turn: live, results: true },
      turn: { messageId: 'writing' },
      answered: [call({ result: { type: 'output', value: 1 } })]
    },
    { entries: [], resultsInPlace: [{ toolCallId: 'call' }] }
  ],
  [
    'a turn at its limit asks whether to continue',
    { session: { turn: live, results: true }, turn: atLimit },
    { kind: 'ask', messageId: 'writing' }
  ],
  [
    'a user message starts a new budget',
    withMessage(ann, { turn: atLimit, newest: step }),
    { kind: 'step', budget: { steps: 1, isFresh: true } }
  ],
  [
    'an interrupted step runs again, and is counted once',
    { session: { turn: { ...live, isCutOff: true } }, turn: { ...atLimit, begun: 26 } },
    { kind: 'step', budget: { steps: 25, isFresh: false } }
  ],
  [
    'an alarm at the limit is held back, and no question is asked',
    withMessage(alarm, { turn: { ...atLimit, messageId: null }, newest: step }),
    { kind: 'step', blocked: { byLimit: 'yes', messageId: null }, budget: { isFresh: false } }
  ],
  [
    'an alarm has a new budget each day',
    withMessage(alarm, { turn: { ...atLimit, budgetOfYesterday: true }, newest: step }),
    { blocked: { byLimit: 'no' }, budget: { steps: 1, isFresh: true } }
  ],
  [
    'an alarm is held back while “continue?” is open',
    withMessage(alarm, {
      session: { atLimit: true, messages: { steering: false, interrupting: true, queued: false } }
    }),
    { blocked: { byLimit: 'if it still applies' } }
  ],
  [
    'a yes to “continue?” continues with the pending message',
    { session: { continueApproved: true }, answered: [approvedLimit], newest: userEntry, newestStep: 5 },
    { messageId: 'limit', isNew: false, run: { from: 5, starts: true }, budget: { isFresh: true } }
  ],
  [
    'a no to “continue?” is reported to the model',
    withMessage(ann, { answered: [call({ kind: 'limit', state: 'declined' })] }),
    { entries: [{ kind: 'note' }, { kind: 'user' }] }
  ],
  [
    '“Retry now” continues the message of the failed turn',
    { session: { retry: true }, drained: { ...none, retries: [item('retry')] }, retried: 'failed' },
    { messageId: 'failed', isNew: false }
  ],
  [
    'a plugin’s extra step is reported if only the plugin requested it',
    { session: { turn: live, extraStep: true }, drained: { ...none, yields: [item('yield')] } },
    { entries: [{ kind: 'note' }] }
  ],
  [
    'a plugin’s extra step is not reported if a message starts the step',
    withMessage(ann, { drained: { ...none, messages: [item('message')], yields: [item('yield')] } }),
    { entries: [{ kind: 'user' }] }
  ]
]

test.each(rows)('%s', (_, input, decided) => {
  expect(decide(factsOf(input))).toMatchObject(decided)
})

test('out-of-band messages come before the message of a new turn, and after the input of a turn that is under way', () => {
  const waiting = [item('oob', { itemId: 'oob', payload: { priority: 'high' } })]
  const oob = [{ id: 'oob', content: 'News', metadata: {} }] as unknown as StepFacts['oob']
  const kinds = (input: FactsInput) =>
    (decide(factsOf({ ...input, waiting, oob })) as StepPlan).entries.map(({ kind }) => kind)
  expect(kinds(withMessage(ann))).toEqual(['oob', 'user'])
  expect(kinds(withMessage(ann, { turn: { messageId: 'writing' } }))).toEqual(['user', 'oob'])
})

test('a cap stops any step, and a turn limit stops only a step of the agent itself', () => {
  const planOf = (input: FactsInput) => decide(factsOf(input)) as Extract<Decision, { kind: 'step' }>
  const cap = {} as ReachedCap
  expect(isBlocked(planOf(withMessage(ann)), { cap: undefined, limitOpen: true })).toBe(false)
  expect(isBlocked(planOf(withMessage(ann)), { cap, limitOpen: false })).toBe(true)
  const alarmFacts = withMessage(alarm, {
    session: { atLimit: true, messages: { steering: false, interrupting: true, queued: false } }
  })
  expect(isBlocked(planOf(alarmFacts), { cap: undefined, limitOpen: true })).toBe(true)
  expect(isBlocked(planOf(alarmFacts), { cap: undefined, limitOpen: false })).toBe(false)
})
