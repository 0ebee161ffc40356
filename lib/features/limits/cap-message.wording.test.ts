import { expect, test } from 'vitest'
import { capMessage } from './cap-message.ts'

const reached = (scope: 'session' | 'subject' | 'workspace', usd: number) => ({
  cap: { scope, about: 'x', period: '2026-11-01', level: 0, usd },
  spent: usd,
  allowed: usd,
  secondsLeft: 60,
  subject: 'ada'
})

test.each<[Parameters<typeof capMessage>, sentence: string]>([
  [
    [reached('session', 2), false],
    'This session has spent $2.00 of its daily cap of $2.00. The cap resets at 00:00 UTC. Continue for another $2.00?'
  ],
  [
    [reached('subject', 1), true],
    'ada has spent $1.00 of a daily cap of $1.00 across all sessions. The cap resets at 00:00 UTC. Continue for another $1.00?'
  ],
  [
    [reached('workspace', 1), false],
    'This workspace has spent $1.00 of its cap of $1.00 for November. The cap resets on December 1 at 00:00 UTC. Continue for another $1.00?'
  ],
  [
    [reached('workspace', 1), true],
    'This workspace has reached its spending cap for November. The cap resets on December 1 at 00:00 UTC. Continue anyway?'
  ]
])('a reached cap asks whether to continue: %j', (args, sentence) => {
  expect(capMessage(...args)).toBe(sentence)
})
