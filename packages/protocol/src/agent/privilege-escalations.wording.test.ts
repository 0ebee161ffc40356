import { expect, test } from 'vitest'
import { AgentConfig, type ChatAgent } from './agent.ts'
import { privilegeEscalations } from './privilege-escalations.ts'

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value))
const edited = (config: ChatAgent, edit: (config: ChatAgent) => void): ChatAgent => {
  const copy = json(config)
  edit(copy)
  return copy
}

test.each<[string, (config: ChatAgent) => void, string]>([
  ['a tool', c => c.chat.tools.push({ name: 'client-info' }), 'The agent gets the tool client-info.'],
  ['a plugin', c => c.chat.tools.push({ plugin: 'desk' }), 'The agent gets all tools of the plugin desk.'],
  ['all plugins', c => c.chat.tools.push({ plugin: '*' }), 'The agent gets all tools of all plugins.'],
  [
    'tools of a plugin',
    c => c.chat.tools.push({ plugin: 'desk', tools: ['file', 'close'] }),
    'The agent gets tools of the plugin desk: file, close.'
  ],
  [
    'an external tool',
    c => c.chat.tools.push({ ...dispatch, name: 'order' }),
    'The agent gets the tool order, which calls https://acme.example/a.'
  ],
  [
    'the tools of a plugin',
    c => c.chat.tools.push({ plugin: 'weather', approval: 'ask' }),
    'The agent gets all tools of the plugin weather.'
  ],
  [
    'some tools of all plugins, without approval',
    c => c.chat.tools.push({ plugin: '*', tools: ['a', 'b'], approval: 'auto' }),
    'The agent gets tools of all plugins: a, b. They run without approval.'
  ],
  ['no approval', c => (c.chat.tools[0]!.approval = 'auto'), 'web-fetch runs without approval.'],
  [
    'the default approval of the tool',
    c => delete c.chat.tools[0]!.approval,
    'web-fetch needs approval only if the tool itself requires it.'
  ],
  [
    'another address',
    c => Object.assign(c.chat.tools[1]!, { url: 'https://evil.example' }),
    'dispatch calls https://evil.example instead of https://acme.example/a.'
  ],
  [
    'more steps',
    c => (c.chat.limits.stepsPerTurn = 30),
    'The agent can use more steps per turn: 30 instead of 25.'
  ],
  ['no budget', c => (c.chat.limits.usdPerTurn = 0), 'The agent has no spending limit per turn.'],
  ['an editor', c => c.chat.answer!.roles!.push('editor'), "Editors can answer the agent's requests."],
  [
    'everybody',
    c => delete c.chat.answer,
    "All owners, editors and operators can answer the agent's requests."
  ],
  [
    'the user who asked',
    c => delete c.chat.answer!.notAsker,
    "The person who asked can also approve the agent's requests."
  ],
  [
    'links',
    c => (c.chat.answer!.links = true),
    "Answer links and session tokens can answer the agent's requests."
  ],
  [
    'a looser rule of one tool',
    c => (c.chat.tools[0]!.answer = { roles: ['operator'], notAsker: true }),
    'Operators can answer requests from web-fetch.'
  ],
  [
    'another model',
    c => (c.chat.model = 'openai/big'),
    'The agent uses the model openai/big instead of default.'
  ],
  [
    'what a tool can receive',
    c => Object.assign(c.chat.tools[1]!, { inputSchema: { type: 'object', title: 'any' } }),
    'chat › tools › dispatch › inputSchema › title was added, which can let the agent do more.'
  ]
])('the sentence for %s says what the agent can do', (_, edit, sentence) => {
  expect(privilegeEscalations(base, edited(base, edit))).toContain(sentence)
})

test('sending more to an external agent lets the agent do more, and sending less does not', () => {
  const externalAgent = AgentConfig.parse({
    agentId: 'a',
    displayName: 'A',
    type: 'external',
    external: { inputUrl: 'https://acme.example/in', retries: 2, redact: ['pin'], activeItem: 'everyMessage' }
  })
  const changed = (more: object) => ({
    ...externalAgent,
    external: { ...(externalAgent as Outside).external, ...more }
  })
  expect(privilegeEscalations(externalAgent, changed({ inputUrl: 'https://evil.example' }))).toEqual([
    'Messages are sent to https://evil.example.'
  ])
  expect(privilegeEscalations(externalAgent, changed({ history: 5 }))).toEqual([
    'The external agent receives up to 5 earlier messages of a session.'
  ])
  expect(privilegeEscalations(externalAgent, changed({ redact: [] }))).toEqual([
    'The external agent receives pin of active items.'
  ])
  expect(
    privilegeEscalations(
      externalAgent,
      changed({ redact: ['iban', 'pin'], retries: 0, activeItem: 'onChange' })
    )
  ).toEqual([])
  expect(privilegeEscalations(changed({ activeItem: 'onChange' }), externalAgent)).not.toEqual([])
  expect(
    privilegeEscalations(externalAgent, changed({ callbackBaseUrl: 'https://evil.example' }))
  ).not.toEqual([])
  expect(privilegeEscalations(externalAgent, changed({ retries: 3 }))).not.toEqual([])
})

type Outside = Extract<AgentConfig, { type: 'external' }>
const dispatch = {
  name: 'dispatch',
  where: 'external' as const,
  description: 'Sends.',
  inputSchema: { type: 'object' },
  url: 'https://acme.example/a',
  retries: 0
}
const base = AgentConfig.parse({
  agentId: 'a',
  displayName: 'A',
  chat: {
    tools: [{ name: 'web-fetch', approval: 'ask' }, dispatch],
    answer: { roles: ['owner'], notAsker: true }
  }
}) as ChatAgent

test('every change of plugins lets the agent do more, because its effect is unknown', () => {
  const guard = { name: 'guard', config: { only: ['acme.example'] }, onFailure: 'stop' as const }
  const other = { name: 'other', onFailure: 'continue' as const }
  const withPlugins = (...plugins: NonNullable<ChatAgent['chat']['plugins']>) =>
    edited(base, ({ chat }) => (chat.plugins = plugins))
  const guarded = withPlugins(guard, other)
  const pairs = [
    [base, guarded],
    [guarded, base],
    [guarded, withPlugins(other, guard)],
    [guarded, withPlugins(other)],
    [guarded, withPlugins({ ...guard, onFailure: 'continue' }, other)],
    [guarded, withPlugins({ ...guard, config: { only: [] } }, other)]
  ]
  for (const [before, after] of pairs)
    expect(privilegeEscalations(before, after)).toEqual([
      "The agent's plugins, their settings or their order changed."
    ])
  expect(privilegeEscalations(guarded, guarded)).toEqual([])
})
