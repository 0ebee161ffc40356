import { expired, notFound } from '@waystation/base/api-error.ts'
import { scriptsOffReason } from '@waystation/sandbox'
import { expect, test } from 'vitest'
import { toolsWith } from '#lib/compose/tools.ts'
import { overLimit } from '#lib/engine/worker/limits/turn-limit.ts'

test.each([
  [notFound('session', 's1').message, 'There is no session "s1".'],
  [
    expired('s1').message,
    'The session "s1" was deleted because it was inactive for the retention period of its workspace. Create a session with the same ID to start again.'
  ],
  [
    scriptsOffReason('namespaces are refused.'),
    'Scripts are off: namespaces are refused. Ask the operator of this server to fix the sandbox.'
  ],
  [
    toolsWith()
      .get('zx-script')
      ?.off?.({ scripts: undefined } as never),
    'Scripts are off on this server. The operator can switch them on with WAYSTATION_ZX=1.'
  ],
  [
    overLimit({ steps: 25, usd: 0 }, { stepsPerTurn: 25, usdPerTurn: 0, contextTokens: 1000 }),
    'The agent has taken 25 steps, which is its limit for one turn.'
  ],
  [
    overLimit({ steps: 1, usd: 0 }, { stepsPerTurn: 1, usdPerTurn: 0, contextTokens: 1000 }),
    'The agent has taken 1 step, which is its limit for one turn.'
  ],
  [
    overLimit({ steps: 1, usd: 2 }, { stepsPerTurn: 25, usdPerTurn: 2, contextTokens: 1000 }),
    'The agent has spent $2.00, which reaches its limit of $2.00 for one turn.'
  ]
])('%s', (message, sentence) => {
  expect(message).toBe(sentence)
})
