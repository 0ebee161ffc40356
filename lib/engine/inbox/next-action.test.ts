import { describe, expect, test } from 'vitest'
import { factsWith } from '#tests/support/fakes/facts.ts'
import { type Action, type Facts, hasNews, isRunnable, isSuperseded, nextAction } from './next-action.ts'

const live = { isNew: false, isCutOff: false, isRetrying: false }
const isNew = { ...live, isNew: true }
const isRetrying = { ...live, isRetrying: true }
const none = { steering: false, interrupting: false, queued: false }
const steering = { ...none, steering: true }
const interrupting = { ...none, interrupting: true }
const queued = { ...none, queued: true }
const news = (...priorities: string[]) => ({
  critical: priorities.includes('critical'),
  high: priorities.includes('high'),
  normal: priorities.includes('normal'),
  low: priorities.includes('low')
})

type Row = [guarantee: string, facts: Partial<Facts>, action: Action]

const rows: Row[] = [
  ['nothing is there: done', {}, 'done'],
  ['the newest step waits for a call: park', { turn: live, hasOpenCall: true }, 'park'],
  ['a turn that waits for its retry waits', { turn: isRetrying, hasFailed: true }, 'wait'],
  ['… also when its step has open calls', { turn: isRetrying, hasFailed: true, hasOpenCall: true }, 'wait'],

  ['calls run before the model is asked', { turn: live, callsToRun: true, messages: steering }, 'tools'],
  ['calls run while “continue?” stands', { callsToRun: true, atLimit: true }, 'tools'],
  [
    'a call that was approved runs while the turn waits for its retry',
    { turn: isRetrying, callsToRun: true },
    'tools'
  ],

  ['a message that steers starts a step', { turn: live, messages: steering }, 'step'],
  ['… also where the turn would park', { turn: live, hasOpenCall: true, messages: steering }, 'step'],
  ['a queued message starts a turn', { messages: queued }, 'step'],
  ['… and is what a new turn begins with', { turn: isNew, messages: queued }, 'step'],
  ['a queued message waits while a turn is under way', { turn: live, messages: queued }, 'done'],
  ['an interrupt does not join the turn that it ends', { turn: live, messages: interrupting }, 'done'],
  ['a message starts a step while “continue?” stands', { messages: queued, atLimit: true }, 'step'],
  ['“Retry now” starts a step', { turn: isRetrying, hasFailed: true, retry: true }, 'step'],
  ['a yes to “continue?” starts the step of the message behind it', { continueApproved: true }, 'step'],
  ['a step that was cut off runs again', { turn: { ...live, isCutOff: true }, atLimit: true }, 'step'],

  ['results start a step', { turn: live, results: true }, 'step'],
  ['… not while “continue?” stands', { turn: live, results: true, atLimit: true }, 'done'],
  ['… not after the turn failed on them', { hasFailed: true, results: true }, 'done'],
  ['a late answer starts a step', { lateAnswer: true }, 'step'],
  ['… also after a turn that failed', { hasFailed: true, lateAnswer: true }, 'step'],
  ['… not while “continue?” stands', { lateAnswer: true, atLimit: true }, 'done'],
  ['a plugin’s extra step starts one', { turn: live, extraStep: true }, 'step'],
  ['… not while “continue?” stands', { turn: live, extraStep: true, atLimit: true }, 'done'],

  ['critical news start a step at rest', { outOfBand: news('critical') }, 'step'],
  ['… and while the session waits', { hasOpenCall: true, outOfBand: news('critical') }, 'step'],
  ['… and before a retry', { turn: isRetrying, outOfBand: news('critical') }, 'step'],
  ['… not while “continue?” stands', { outOfBand: news('critical'), atLimit: true }, 'done'],
  ['high news start a step while the session waits', { hasOpenCall: true, outOfBand: news('high') }, 'step'],
  ['… and while a turn is under way', { turn: live, outOfBand: news('high') }, 'step'],
  ['… not at rest', { outOfBand: news('high') }, 'done'],
  ['normal news start a step where the turn would end', { turn: live, outOfBand: news('normal') }, 'step'],
  ['low news too', { turn: live, outOfBand: news('low') }, 'step'],
  [
    '… neither where it would park',
    { turn: live, hasOpenCall: true, outOfBand: news('normal', 'low') },
    'park'
  ],
  ['… nor before a retry', { turn: isRetrying, outOfBand: news('normal', 'low') }, 'wait'],
  ['… nor at rest', { outOfBand: news('normal', 'low') }, 'done']
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
  expect(isSuperseded(factsWith({ outOfBand: news('critical') }))).toBe(true)
  expect(isSuperseded(factsWith({ outOfBand: news('critical'), atLimit: true }))).toBe(false)
  expect(isSuperseded(factsWith({ outOfBand: news('high') }))).toBe(false)
})

test('a turn takes in out-of-band messages before it ends, but not while “continue?” is open', () => {
  expect(hasNews(factsWith({ outOfBand: news('low') }))).toBe(true)
  expect(hasNews(factsWith({ outOfBand: news('low'), atLimit: true }))).toBe(false)
  expect(hasNews(factsWith())).toBe(false)
})
