import { describe, expect, test } from 'vitest'
import { factsWith } from '#tests/support/fakes/facts.ts'
import { type Action, type Facts, hasOob, isRunnable, isSuperseded, nextAction } from './next-action.ts'

const live = { isNew: false, isCutOff: false, isRetrying: false }
const isNew = { ...live, isNew: true }
const isRetrying = { ...live, isRetrying: true }
const none = { steering: false, interrupting: false, queued: false }
const steering = { ...none, steering: true }
const interrupting = { ...none, interrupting: true }
const queued = { ...none, queued: true }
const oobFacts = (...priorities: string[]) => ({
  critical: priorities.includes('critical'),
  high: priorities.includes('high'),
  normal: priorities.includes('normal'),
  low: priorities.includes('low')
})

type Row = [guarantee: string, facts: Partial<Facts>, action: Action]

const rows: Row[] = [
  ['without pending work the session is done', {}, 'done'],
  ['an open call in the newest step parks the session', { turn: live, hasOpenCall: true }, 'park'],
  ['a turn that waits for its retry keeps waiting', { turn: isRetrying, hasFailed: true }, 'wait'],
  [
    'a turn that waits for its retry keeps waiting if its step has open calls',
    { turn: isRetrying, hasFailed: true, hasOpenCall: true },
    'wait'
  ],

  ['calls run before the next model call', { turn: live, callsToRun: true, messages: steering }, 'tools'],
  ['calls run while “continue?” is open', { callsToRun: true, atLimit: true }, 'tools'],
  [
    'an approved call runs while the turn waits for its retry',
    { turn: isRetrying, callsToRun: true },
    'tools'
  ],

  ['a steering message starts a step', { turn: live, messages: steering }, 'step'],
  [
    'a steering message starts a step in a turn that would park',
    { turn: live, hasOpenCall: true, messages: steering },
    'step'
  ],
  ['a queued message starts a turn', { messages: queued }, 'step'],
  ['a new turn starts with the queued message', { turn: isNew, messages: queued }, 'step'],
  ['a queued message waits while a turn is running', { turn: live, messages: queued }, 'done'],
  [
    'an interrupting message does not join the turn that it ends',
    { turn: live, messages: interrupting },
    'done'
  ],
  ['a message starts a step while “continue?” is open', { messages: queued, atLimit: true }, 'step'],
  ['“Retry now” starts a step', { turn: isRetrying, hasFailed: true, retry: true }, 'step'],
  ['a yes to “continue?” starts a step for the pending message', { continueApproved: true }, 'step'],
  ['an interrupted step runs again', { turn: { ...live, isCutOff: true }, atLimit: true }, 'step'],

  ['call results start a step', { turn: live, results: true }, 'step'],
  [
    'call results start no step while “continue?” is open',
    { turn: live, results: true, atLimit: true },
    'done'
  ],
  ['call results start no step after the turn failed with them', { hasFailed: true, results: true }, 'done'],
  ['a late answer starts a step', { lateAnswer: true }, 'step'],
  ['a late answer starts a step after a failed turn', { hasFailed: true, lateAnswer: true }, 'step'],
  ['a late answer starts no step while “continue?” is open', { lateAnswer: true, atLimit: true }, 'done'],
  ['an extra step that a plugin requested starts', { turn: live, extraStep: true }, 'step'],
  [
    'a plugin’s extra step does not start while “continue?” is open',
    { turn: live, extraStep: true, atLimit: true },
    'done'
  ],

  [
    'a critical out-of-band message starts a step in an idle session',
    { outOfBand: oobFacts('critical') },
    'step'
  ],
  [
    'a critical out-of-band message starts a step in a parked session',
    { hasOpenCall: true, outOfBand: oobFacts('critical') },
    'step'
  ],
  [
    'a critical out-of-band message starts a step before a retry',
    { turn: isRetrying, outOfBand: oobFacts('critical') },
    'step'
  ],
  [
    'critical out-of-band messages start no step while “continue?” is open',
    { outOfBand: oobFacts('critical'), atLimit: true },
    'done'
  ],
  [
    'a high-priority message starts a step in a parked session',
    { hasOpenCall: true, outOfBand: oobFacts('high') },
    'step'
  ],
  [
    'a high-priority message starts a step during a turn',
    { turn: live, outOfBand: oobFacts('high') },
    'step'
  ],
  ['a high-priority message starts no step in an idle session', { outOfBand: oobFacts('high') }, 'done'],
  [
    'a normal message starts a step in a turn that would end',
    { turn: live, outOfBand: oobFacts('normal') },
    'step'
  ],
  [
    'a low-priority message starts a step in a turn that would end',
    { turn: live, outOfBand: oobFacts('low') },
    'step'
  ],
  [
    'normal and low messages start no step in a turn that would park',
    { turn: live, hasOpenCall: true, outOfBand: oobFacts('normal', 'low') },
    'park'
  ],
  [
    'normal and low messages start no step before a retry',
    { turn: isRetrying, outOfBand: oobFacts('normal', 'low') },
    'wait'
  ],
  [
    'normal and low messages start no step in an idle session',
    { outOfBand: oobFacts('normal', 'low') },
    'done'
  ]
]

describe('what a session does next', () => {
  test.each(rows)('%s', (_, facts, action) => {
    expect(nextAction(factsWith(facts))).toBe(action)
  })
})

test('a worker is needed for calls and steps, and to end a turn for an interrupt', () => {
  for (const [, facts, action] of rows)
    expect(isRunnable(factsWith(facts)), JSON.stringify(facts)).toBe(
      action === 'tools' || action === 'step' || facts.messages === interrupting
    )
})

test('critical out-of-band messages supersede calls that have not started, but not while “continue?” is open', () => {
  expect(isSuperseded(factsWith({ outOfBand: oobFacts('critical') }))).toBe(true)
  expect(isSuperseded(factsWith({ outOfBand: oobFacts('critical'), atLimit: true }))).toBe(false)
  expect(isSuperseded(factsWith({ outOfBand: oobFacts('high') }))).toBe(false)
})

test('a turn takes in out-of-band messages before it ends, but not while “continue?” is open', () => {
  expect(hasOob(factsWith({ outOfBand: oobFacts('low') }))).toBe(true)
  expect(hasOob(factsWith({ outOfBand: oobFacts('low'), atLimit: true }))).toBe(false)
  expect(hasOob(factsWith())).toBe(false)
})
