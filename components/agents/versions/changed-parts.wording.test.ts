import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { changedParts } from './changed-parts.ts'

const agent = (chat: object) => AgentConfig.parse({ agentId: 'a', displayName: 'A', type: 'chat', chat })

test.each([
  [{}, {}, 'No changes.'],
  [
    { tools: [{ name: 'web-fetch' }], instructions: 'One.' },
    { tools: [], instructions: 'Two.' },
    'Removed web-fetch. Changed Instructions. No new permissions.'
  ],
  [{ tools: [] }, { tools: [{ name: 'web-fetch' }] }, 'Added web-fetch. New permissions.'],
  [
    { tools: [{ name: 'web-fetch', approval: 'auto' }] },
    { tools: [{ name: 'web-fetch', approval: 'ask' }], limits: { stepsPerTurn: 3, usdPerTurn: 0.1 } },
    'Changed web-fetch, Limits. No new permissions.'
  ],
  [
    { tools: ['a', 'b', 'c', 'd', 'e'].map(name => ({ name })) },
    { tools: [] },
    'Removed a, b, c and 2 more. No new permissions.'
  ]
])('a version says in one line what changed (%#)', (before, after, sentence) => {
  expect(changedParts(agent(before), agent(after), { 'web-fetch': 'ask' })).toBe(sentence)
})
