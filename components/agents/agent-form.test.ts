import { type Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import { expect, test } from 'vitest'
import { configOf, errorsOf, formOf, rebased, valuesOf } from './agent-form.ts'

const tools = [
  { name: 'web-fetch', description: 'Reads a page', where: 'server' as const, approval: 'ask' as const },
  { name: 'ask-question', description: 'Asks', where: 'server' as const, approval: 'auto' as const }
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
  const made = configOf({ ...formOf(agent, tools), displayName: 'New name' }, agent, tools)
  expect(made).toMatchObject({
    displayName: 'New name',
    chat: {
      starters: [{ label: 'Hi', text: 'hello' }],
      tools: [{ name: 'web-fetch', timeoutSeconds: 9 }, { name: 'dispatch' }]
    }
  })
  expect(AgentConfig.safeParse(made).success).toBe(true)
})

test('a save preserves an embedded tool, even if a built-in tool has the same name', () => {
  const embed = { '@ag.embed': { '@ag.references': { agent: { slug: 'library' } } }, name: 'web-fetch' }
  const chat = { skills: [embed], tools: [embed, { name: 'ask-question' }] }
  const config = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat })
  const its: Agent = { ...config, revision: 1, updatedAt: agent.updatedAt }
  expect(configOf(formOf(its, tools), its, tools)).toMatchObject({
    chat: { skills: [embed], tools: [embed, { name: 'ask-question' }] }
  })
  const made = configOf(
    { ...formOf(its, tools), builtIn: { 'web-fetch': { name: 'web-fetch', approval: 'ask' } } },
    its,
    tools
  )
  expect(chatOf(made).tools).toEqual([{ name: 'web-fetch', approval: 'ask' }, embed])
})

test('only an edited field is a change, regardless of default approvals and of the order of tools', () => {
  const embed = { '@ag.embed': { '@ag.references': { agent: { slug: 'library' } } }, name: 'x' }
  const chat = { tools: [embed, { name: 'ask-question' }, { name: 'web-fetch', approval: 'auto' }] }
  const its = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat })
  const form = formOf(its, tools)
  const made = configOf({ ...form, chat: { ...form.chat, instructions: 'Be kind.' } }, its, tools)
  expect(diffConfigs(its, made).map(({ path }) => path.join('.'))).toEqual(['chat.instructions'])
})

test('a tool that the user turns off is removed from the configuration', () => {
  const made = configOf({ ...formOf(agent, tools), builtIn: {} }, agent, tools)
  expect(made).toMatchObject({ chat: { tools: [{ name: 'dispatch' }] } })
})

test('the form preserves the answer policies of an agent and of its tools', () => {
  const policy = { roles: ['owner' as const], people: ['ada'], notAsker: true }
  const own = { ...agent, chat: { ...chatOf(agent), answer: policy } }
  expect(configOf(formOf(own, tools), own, tools)).toMatchObject({ chat: { answer: policy } })
  const [tool] = chatOf(agent).tools
  const ofTool = {
    ...own,
    chat: { ...own.chat, tools: [{ ...tool!, answer: { roles: ['editor' as const] } }] }
  }
  expect(configOf(formOf(ofTool as Agent, tools), ofTool as Agent, tools)).toMatchObject({
    chat: { tools: [{ name: 'web-fetch', answer: { roles: ['editor'] } }] }
  })
})

test('the user’s changes apply on top of a newer published revision', () => {
  const base = formOf(agent, tools)
  const mine = {
    ...base,
    chat: { ...base.chat, instructions: 'Mine.' },
    builtIn: { 'ask-question': enabled('ask-question') }
  }
  const theirs = {
    ...base,
    displayName: 'Theirs',
    builtIn: { ...base.builtIn, 'client-info': enabled('client-info') }
  }
  expect(rebased(mine, base, theirs)).toEqual({
    ...base,
    displayName: 'Theirs',
    chat: { ...base.chat, instructions: 'Mine.' },
    builtIn: { 'ask-question': enabled('ask-question'), 'client-info': enabled('client-info') }
  })
  expect(rebased(base, base, theirs)).toEqual(theirs)
})

const chatOf = (agent: AgentConfig) => {
  if (agent.type !== 'chat') throw new Error('Not a chat agent.')
  return agent.chat
}

test('the configuration of an external agent has its URLs and no field of a chat agent', () => {
  const draft = {
    ...formOf(undefined, tools),
    type: 'external' as const,
    agentId: 'acme',
    displayName: 'Acme'
  }
  const external = { inputUrl: 'https://acme.example/in', retries: 0 }
  const made = configOf({ ...draft, external }, undefined, tools)
  expect(made).toEqual({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  expect(AgentConfig.safeParse(made).success).toBe(true)
})

test('22 B1: the form keeps the defaults for out-of-band messages, and sends none if none is set', () => {
  const muted = [{ source: 'external' as const }]
  for (const outOfBand of [
    undefined,
    {},
    { ttlSeconds: 600 },
    { ttlSeconds: null },
    { mode: 'approve' as const, muted }
  ])
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
      const made = configOf(formOf(agent, tools), agent, tools)
      expect(made.outOfBand).toEqual(Object.keys(outOfBand ?? {}).length === 0 ? undefined : outOfBand)
    }
})

test('a change to another field preserves the plugins of an agent', () => {
  const plugins = [{ name: 'house-rules', config: { only: ['acme.example'] }, onFailure: 'stop' as const }]
  const config = AgentConfig.parse({ agentId: 'guide', displayName: 'Guide', chat: { plugins } })
  const its: Agent = { ...config, revision: 1, updatedAt: agent.updatedAt }
  expect(configOf({ ...formOf(its, tools), displayName: 'New name' }, its, tools)).toMatchObject({
    chat: { plugins }
  })
})

test('the services of http-request are kept, changed and checked at their own field', () => {
  const services = [{ integration: 'google', methods: ['GET' as const] }]
  const its = { ...agent, chat: { ...chatOf(agent), tools: [{ name: 'http-request', services }] } } as Agent
  const form = formOf(its, tools)
  const withServices = (changed: unknown) => ({
    ...form,
    builtIn: { 'http-request': { ...form.builtIn['http-request'], services: changed } as never }
  })
  expect(form.builtIn['http-request']?.services).toEqual(services)
  expect(chatOf(configOf(form, its, tools)).tools).toEqual([{ name: 'http-request', services }])
  const changed = configOf(withServices([{ integration: 'slack', methods: ['POST'] }]), its, tools)
  expect(chatOf(changed).tools).toMatchObject([{ services: [{ integration: 'slack' }] }])
  expect(errorsOf(configOf(form, its, tools))).toEqual({})
  for (const wrong of [undefined, '[{', [{ integration: 7 }]]) {
    const config = configOf(withServices(wrong), its, tools)
    expect(Object.keys(errorsOf(config))[0], String(wrong)).toBe('builtIn.http-request.services')
  }
})

test('empty groups of settings are not a change', () => {
  const form = formOf(agent, tools)
  const chat = {
    ...form.chat,
    parameters: { temperature: undefined },
    price: { inputPerMillion: undefined, outputPerMillion: undefined } as never,
    toolSettings: { retry: { maxAttempts: undefined } }
  }
  const { chat: made } = configOf({ ...form, chat } as never, agent, tools) as { chat: object }
  expect(diffConfigs(chatOf(agent), made)).toEqual([])
})

const enabled = (name: string) => ({ name, approval: 'auto' as const })

test('JSON replaces all other values, becomes values if it is valid, and stays a text otherwise', () => {
  const values = formOf(agent, tools)
  const { revision: _, updatedAt: __, ...config } = agent
  const edited = { ...values, json: { ...config, displayName: 'By JSON' } }
  expect(configOf(edited, agent, tools)).toEqual(edited.json)
  expect(valuesOf(edited, tools)).toEqual({ ...values, displayName: 'By JSON' })
  for (const json of ['{', 'null', [], { ...config, chat: 'none' }]) {
    const invalid = { ...values, json }
    expect(valuesOf(invalid, tools)).toBe(invalid)
    const errors = errorsOf(configOf(invalid, agent, tools), invalid)
    expect(Object.keys(errors).length).toBeGreaterThan(0)
    for (const path of Object.keys(errors)) expect(path).toMatch(/^json\./)
  }
})
