import { expect, test } from 'vitest'
import { overLimit } from '#lib/sessions/turn-limit.ts'
import { toolsOff } from '#lib/tools/tools-off.ts'
import { expired, notFound } from './refusal.ts'
import { offBecause } from './scripts.ts'

test.each([
  [notFound('session', 's1').message, 'There is no session "s1" here.'],
  [
    expired('s1').message,
    'Session "s1" was removed because nothing had happened in it for as long as its workspace keeps sessions. Create it again under the same ID to begin anew.'
  ],
  [
    offBecause('namespaces are refused.'),
    'Scripts are off here: namespaces are refused. They are never run without a sandbox. Whoever runs this server can help.'
  ],
  [
    toolsOff({ scripts: undefined } as never).get('zx-script'),
    'Scripts are off here. Whoever runs this server can switch them on with WAYSTATION_ZX=1.'
  ],
  [
    overLimit({ steps: 25, usd: 0 }, { stepsPerTurn: 25, usdPerTurn: 0, contextTokens: 1000 }),
    "It has taken 25 steps, which is this agent's limit for one turn."
  ],
  [
    overLimit({ steps: 1, usd: 0 }, { stepsPerTurn: 1, usdPerTurn: 0, contextTokens: 1000 }),
    "It has taken 1 step, which is this agent's limit for one turn."
  ],
  [
    overLimit({ steps: 1, usd: 2 }, { stepsPerTurn: 25, usdPerTurn: 2, contextTokens: 1000 }),
    "It has spent $2.00, which reaches this agent's limit of $2.00 for one turn."
  ]
])('%s', (said, sentence) => {
  expect(said).toBe(sentence)
})
