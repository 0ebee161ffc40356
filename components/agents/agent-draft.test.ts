import { type Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import { expect, test } from 'vitest'
import { configOf, draftOf, rebased } from './agent-draft.ts'

const tools = [
  { name: 'web-fetch', description: 'Reads a page', approval: 'ask' as const },
  { name: 'ask-question', description: 'Asks', approval: 'auto' as const }
]
const agent: Agent = {
  ...AgentConfig.parse({
    agentId: 'guide',
    displayName: 'Guide',
    chat: {
      tools: [
        { name: 'web-fetch', timeoutSeconds: 9 },
        {
          name: 'dispatch',
          where: 'external',
          description: 'd',
          inputSchema: { type: 'object' },
          url: 'https://acme.example'
        }
      ],
      starters: [{ label: 'Hi', text: 'hello' }]
    }
  }),
  revision: 3,
  updatedAt: '2026-01-01T00:00:00.000Z'
}

test('a save preserves fields that the form does not show, such as starters and a tool’s timeout', () => {
  const made = configOf({ ...draftOf(agent, tools), displayName: 'New name' }, agent, tools)
  expect(made).toMatchObject({
    config: {
      displayName: 'New name',
      chat: {
        starters: [{ label: 'Hi', text: 'hello' }],
        tools: [{ name: 'web-fetch', timeoutSeconds: 9 }, { name: 'dispatch' }]
      }
    }
  })
  expect(AgentConfig.safeParse('config' in made && made.config).success).toBe(true)
})

test('a save preserves an embedded tool, even if a built-in tool has the same name', () => {
  const embed = { '@ag.embed': { '@ag.references': { agent: { slug: 'library' } } }, name: 'web-fetch' }
  const chat = { skills: [embed], tools: [embed, { name: 'ask-question' }] }
  const config = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat })
  const its: Agent = { ...config, revision: 1, updatedAt: agent.updatedAt }
  expect(configOf(draftOf(its, tools), its, tools)).toMatchObject({
    config: { chat: { skills: [embed], tools: [embed, { name: 'ask-question' }] } }
  })
  const made = configOf({ ...draftOf(its, tools), builtIn: { 'web-fetch': 'ask' } }, its, tools)
  expect(made).toMatchObject({ config: { chat: { tools: [{ name: 'web-fetch', approval: 'ask' }, embed] } } })
  expect('config' in made && made.config.type === 'chat' && made.config.chat.tools[0]).toEqual({
    name: 'web-fetch',
    approval: 'ask'
  })
})

test('only an edited field is a change, regardless of default approvals and of the order of tools', () => {
  const embed = { '@ag.embed': { '@ag.references': { agent: { slug: 'library' } } }, name: 'x' }
  const chat = { tools: [embed, { name: 'ask-question' }, { name: 'web-fetch', approval: 'auto' }] }
  const its = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat })
  const made = configOf({ ...draftOf(its, tools), instructions: 'Be kind.' }, its, tools)
  expect('config' in made && diffConfigs(its, made.config).map(({ path }) => path.join('.'))).toEqual([
    'chat.instructions'
  ])
})

test('a tool that the user turns off is removed from the configuration', () => {
  const made = configOf({ ...draftOf(agent, tools), builtIn: {} }, agent, tools)
  expect(made).toMatchObject({ config: { chat: { tools: [{ name: 'dispatch' }] } } })
})

test('external tools that are not a JSON array return an error instead of a configuration', () => {
  const draft = draftOf(agent, tools)
  expect(configOf({ ...draft, external: '[{' }, agent, tools)).toEqual({ fault: expect.any(String) })
  expect(configOf({ ...draft, external: '{}' }, agent, tools)).toEqual({ fault: expect.any(String) })
})

test('the form sets the answer policy of an agent, removes an empty one and preserves the policies of tools', () => {
  const policy = { roles: ['owner' as const], people: ['ada'], notAsker: true }
  const own = { ...agent, chat: { ...chatOf(agent), answer: policy } }
  const draft = draftOf(own, tools)
  expect(draft.answer).toEqual({ ...policy, links: undefined })
  expect(configOf(draft, own, tools)).toMatchObject({ config: { chat: { answer: policy } } })
  const none = { roles: [], people: [], notAsker: false, links: undefined }
  const made = configOf({ ...draft, answer: none }, own, tools)
  expect('config' in made && made.config.type === 'chat' && 'answer' in made.config.chat).toBe(false)
  const [tool] = chatOf(agent).tools
  const ofTool = {
    ...own,
    chat: { ...own.chat, tools: [{ ...tool!, answer: { roles: ['editor' as const] } }] }
  }
  expect(configOf(draftOf(ofTool as Agent, tools), ofTool as Agent, tools)).toMatchObject({
    config: { chat: { tools: [{ name: 'web-fetch', answer: { roles: ['editor'] } }] } }
  })
})

test('the user’s changes apply on top of a newer published revision', () => {
  const base = draftOf(agent, tools)
  const mine = { ...base, instructions: 'Mine.', builtIn: { 'ask-question': 'auto' as const } }
  const theirs = {
    ...base,
    displayName: 'Theirs',
    builtIn: { ...base.builtIn, 'client-info': 'auto' as const }
  }
  expect(rebased(mine, base, theirs)).toEqual({
    ...base,
    displayName: 'Theirs',
    instructions: 'Mine.',
    builtIn: { 'ask-question': 'auto', 'client-info': 'auto' }
  })
  expect(rebased(base, base, theirs)).toEqual(theirs)
})

const chatOf = (agent: Agent) => {
  if (agent.type !== 'chat') throw new Error('Not a chat agent.')
  return agent.chat
}

test('the configuration of an external agent has its URLs and no field of a chat agent', () => {
  const draft = {
    ...draftOf(undefined, tools),
    type: 'external' as const,
    agentId: 'acme',
    displayName: 'Acme'
  }
  const made = configOf(
    { ...draft, inputUrl: ' https://acme.example/in ', instructions: 'left over' },
    undefined,
    tools
  )
  expect(made).toEqual({
    config: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: 'https://acme.example/in', retries: 0 }
    }
  })
  expect(AgentConfig.safeParse('config' in made && made.config).success).toBe(true)
})

test('22 B1: the expiry of out-of-band messages is a number, never, or the workspace default', () => {
  for (const outOfBand of [undefined, {}, { ttlSeconds: 600 }, { ttlSeconds: null }])
    for (const type of ['chat', 'external'] as const) {
      const external = { inputUrl: 'https://acme.example/in' }
      const base = {
        agentId: 'a',
        displayName: 'A',
        outOfBand,
        type,
        ...(type === 'chat' ? {} : { external })
      }
      const agent = AgentConfig.parse(JSON.parse(JSON.stringify(base)))
      const made = configOf(draftOf(agent, tools), agent, tools)
      const { ttlSeconds } = outOfBand ?? {}
      expect('config' in made && made.config.outOfBand).toEqual(
        ttlSeconds === undefined ? undefined : { ttlSeconds }
      )
    }
  expect(configOf({ ...draftOf(undefined, tools), ttlSeconds: 'an hour' }, undefined, tools)).toEqual({
    fault: expect.any(String)
  })
})

test('plugins are edited as JSON, and a change to another field preserves them', () => {
  const plugins = [{ name: 'house-rules', config: { only: ['acme.example'] }, onFailure: 'stop' as const }]
  const config = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat: { plugins } })
  const its: Agent = { ...config, revision: 1, updatedAt: agent.updatedAt }
  const draft = draftOf(its, tools)
  expect(configOf({ ...draft, displayName: 'New name' }, its, tools)).toMatchObject({
    config: { chat: { plugins } }
  })
  const without = configOf({ ...draft, plugins: ' ' }, its, tools)
  expect('config' in without && without.config.type === 'chat' && without.config.chat).not.toHaveProperty(
    'plugins'
  )
  expect(configOf({ ...draft, plugins: '{' }, its, tools)).toEqual({ fault: expect.any(String) })
})

test('001-14: the form sets how an agent calls its tools, and an unset value stays unset', () => {
  const draft = draftOf(agent, tools)
  expect(draft.toolCalling).toBe('native')
  const said = (made: ReturnType<typeof configOf>) =>
    'config' in made && made.config.type === 'chat' ? made.config.chat.toolCalling : made
  expect(said(configOf(draft, agent, tools))).toBeUndefined()
  expect(said(configOf({ ...draft, toolCalling: 'text' }, agent, tools))).toBe('text')
  const its: Agent = { ...agent, chat: { ...chatOf(agent), toolCalling: 'text' } } as Agent
  expect(draftOf(its, tools).toolCalling).toBe('text')
  expect(said(configOf({ ...draftOf(its, tools), toolCalling: 'native' }, its, tools))).toBe('native')
})
