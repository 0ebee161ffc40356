import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgentConfig, type ChatAgent } from './agent.ts'
import { diffConfigs, labelOf } from './config-diff.ts'
import { privilegeEscalations } from './privilege-escalations.ts'

const role = fc.constantFrom('owner' as const, 'editor' as const, 'operator' as const)
const policy = fc.record(
  {
    roles: fc.uniqueArray(role, { minLength: 1 }),
    people: fc.uniqueArray(fc.constantFrom('ada', 'bob', 'cyd'), { minLength: 1 }),
    notAsker: fc.boolean(),
    links: fc.boolean()
  },
  { requiredKeys: [] }
)
const approval = fc.constantFrom('ask' as const, 'auto' as const)
const builtIn = fc.record(
  {
    name: fc.constantFrom('web-fetch', 'ask-question', 'client-info'),
    approval,
    answer: policy,
    timeoutSeconds: fc.integer({ min: 1, max: 3600 }),
    deadlineSeconds: fc.integer({ min: 10, max: 9999 })
  },
  { requiredKeys: ['name'] }
)
const external = fc.record(
  {
    name: fc.constantFrom('dispatch', 'order'),
    where: fc.constant('external' as const),
    description: fc.constantFrom('', 'Sends.'),
    inputSchema: fc.constantFrom(
      { type: 'object' },
      { type: 'object', properties: { a: { type: 'string' } } }
    ),
    url: fc.constantFrom('https://acme.example/a', 'https://acme.example/b', 'https://evil.example/a'),
    approval,
    answer: policy,
    retries: fc.integer({ min: 0, max: 10 })
  },
  { requiredKeys: ['name', 'where', 'description', 'inputSchema', 'url', 'retries'] }
)
const config: fc.Arbitrary<ChatAgent> = fc
  .record({
    displayName: fc.constantFrom('A', 'B'),
    instructions: fc.string(),
    model: fc.constantFrom('default', 'openai/gpt'),
    tools: fc.uniqueArray(fc.oneof(builtIn, external), { selector: ({ name }) => name, maxLength: 5 }),
    answer: fc.option(policy, { nil: undefined }),
    limits: fc.record({
      stepsPerTurn: fc.integer({ min: 1, max: 50 }),
      usdPerTurn: fc.integer({ min: 0, max: 5 }),
      contextTokens: fc.integer({ min: 1000, max: 9000 })
    })
  })
  .map(({ displayName, ...chat }) => AgentConfig.parse({ agentId: 'a', displayName, chat }) as ChatAgent)
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value))
const chatOf = (config: ChatAgent) => config.chat
const edited = (config: ChatAgent, edit: (config: ChatAgent) => void): ChatAgent => {
  const copy = json(config)
  edit(copy)
  return copy
}

test('nothing is different between a configuration and itself, and it widens nothing', () => {
  fc.assert(
    fc.property(config, one => {
      expect(diffConfigs(one, json(one))).toEqual([])
      expect(privilegeEscalations(one, json(one))).toEqual([])
    })
  )
})

test('two configurations without a difference are the same', () => {
  fc.assert(
    fc.property(config, config, (a, b) => {
      expect(diffConfigs(a, b).length === 0).toBe(canonical(a) === canonical(b))
    })
  )
})

test('what is added going one way is removed going back, at the same places', () => {
  const turned = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const
  const places = (changes: ReturnType<typeof diffConfigs>, back: boolean) =>
    changes
      .filter(({ kind }) => kind !== 'moved')
      .map(({ path, kind }) => `${path.join('/')} ${back ? turned[kind] : kind}`)
      .sort()
  fc.assert(
    fc.property(config, config, (a, b) => {
      expect(places(diffConfigs(a, b), false)).toEqual(places(diffConfigs(b, a), true))
    })
  )
})

test('moving tools is one change, and widens nothing', () => {
  fc.assert(
    fc.property(
      config.filter(({ chat }) => chat.tools.length > 1),
      one => {
        const moved = edited(one, ({ chat }) => chat.tools.push(chat.tools.shift()!))
        expect(diffConfigs(one, moved)).toEqual([
          {
            path: ['chat', 'tools'],
            kind: 'moved',
            before: one.chat.tools.map(labelOf),
            after: moved.chat.tools.map(labelOf)
          }
        ])
        expect(privilegeEscalations(one, moved)).toEqual([])
      }
    )
  )
})

/** What every step of narrowing does to a configuration; together they are tried in any order. */
const narrowings: Record<string, (config: ChatAgent) => void> = {
  'a tool less': ({ chat }) => void chat.tools.pop(),
  'every tool needs approval': ({ chat }) => {
    for (const tool of chat.tools) tool.approval = 'ask'
  },
  'lower limits': ({ chat }) => {
    chat.limits.stepsPerTurn = Math.max(1, chat.limits.stepsPerTurn - 3)
    chat.limits.usdPerTurn = chat.limits.usdPerTurn === 0 ? 3 : Math.max(0.5, chat.limits.usdPerTurn - 1)
    chat.limits.contextTokens = Math.max(1000, chat.limits.contextTokens - 500)
  },
  'fewer may answer': ({ chat }) => {
    for (const owner of [chat, ...chat.tools]) {
      const { answer } = owner
      if (answer?.roles !== undefined && answer.roles.length > 1) answer.roles.pop()
      if (answer?.people !== undefined && answer.people.length > 1) answer.people.pop()
      if (answer !== undefined) Object.assign(answer, { notAsker: true, links: false })
    }
  },
  'fewer tries, shorter waits': ({ chat }) => {
    for (const tool of chat.tools) {
      if ('retries' in tool) tool.retries = 0
      if ('timeoutSeconds' in tool && tool.timeoutSeconds !== undefined) tool.timeoutSeconds = 1
      if ('deadlineSeconds' in tool && tool.deadlineSeconds !== undefined) tool.deadlineSeconds = 10
    }
  },
  'other words': config => {
    config.displayName = 'Another'
    config.description = 'New'
    config.chat.instructions += '!'
    config.chat.starters = [{ label: 'Hi', text: 'hello' }]
    config.chat.toolCalling = config.chat.toolCalling === 'text' ? 'native' : 'text'
  }
}

test('narrowing never widens, in whatever order it is done', () => {
  const steps = fc.array(fc.constantFrom(...Object.keys(narrowings)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(config, steps, (one, names) => {
      const narrower = names.reduce((before, name) => edited(before, narrowings[name]!), one)
      expect(privilegeEscalations(one, narrower), names.join(', ')).toEqual([])
    })
  )
})

/** Who may answer: told from the policy by trying everybody, as `answerers.ts` judges a call. */
const may = (policy: ChatAgent['chat']['answer'], who: { role?: string; id?: string; link?: boolean }) => {
  const { roles, people, notAsker, links } = policy ?? {}
  if (who.link) return links ?? (roles === undefined && people === undefined && notAsker !== true)
  if (roles === undefined && people === undefined) return true
  return roles?.some(one => one === who.role) || people?.some(one => one === who.id) || false
}
const everybody = [
  ...['owner', 'editor', 'operator'].flatMap(role => ['ada', 'bob', 'cyd', 'dee'].map(id => ({ role, id }))),
  { link: true }
]

test('it widens nothing only if every tool, limit and rule is within what was there', () => {
  const near = config.chain(one =>
    fc.tuple(
      fc.constant(one),
      fc.oneof(
        config,
        fc.constantFrom(...Object.values(narrowings)).map(narrow => edited(one, narrow)),
        config.map(other => ({ ...one, chat: { ...one.chat, tools: other.chat.tools } })),
        config.map(other => ({ ...one, chat: { ...one.chat, answer: other.chat.answer } }) as ChatAgent),
        config.map(other => ({ ...one, chat: { ...one.chat, limits: other.chat.limits } }))
      )
    )
  )
  let harmless = 0
  fc.assert(
    fc.property(near, ([before, after]) => {
      if (privilegeEscalations(before, after).length > 0) return
      harmless++
      const [was, is] = [chatOf(before), chatOf(after)]
      expect(is.model).toBe(was.model)
      const budget = (usd: number) => (usd === 0 ? Infinity : usd)
      expect(is.limits.stepsPerTurn).toBeLessThanOrEqual(was.limits.stepsPerTurn)
      expect(is.limits.contextTokens).toBeLessThanOrEqual(was.limits.contextTokens)
      expect(budget(is.limits.usdPerTurn)).toBeLessThanOrEqual(budget(was.limits.usdPerTurn))
      for (const tool of is.tools) {
        const known = was.tools.find(one => labelOf(one) === labelOf(tool))
        expect(known, labelOf(tool)).toBeDefined()
        if ('url' in tool) expect((known as typeof tool).url).toBe(tool.url)
        const strictness = ['auto', undefined, 'ask']
        expect(strictness.indexOf(tool.approval)).toBeGreaterThanOrEqual(strictness.indexOf(known?.approval))
        const [then, now] = [known?.answer ?? was.answer, tool.answer ?? is.answer]
        for (const who of everybody) expect(!may(now, who) || may(then, who)).toBe(true)
        expect(!then?.notAsker || now?.notAsker).toBe(true)
      }
    }),
    { numRuns: 1000 }
  )
  expect(harmless).toBeGreaterThan(50)
})

test('a field that nobody has judged widens, wherever it stands', () => {
  const place = fc.constantFrom(
    '',
    'chat',
    'chat.limits',
    'chat.tools.0',
    'chat.answer',
    'chat.tools.0.answer'
  )
  fc.assert(
    fc.property(config, place, fc.jsonValue(), fc.boolean(), (one, where, value, isRemoved) => {
      const base = edited(one, ({ chat }) => {
        chat.answer ??= { notAsker: true }
        chat.tools[0] ??= { name: 'web-fetch' }
        chat.tools[0].answer ??= { links: false }
      })
      const more = edited(base, copy => {
        const at = where
          .split('.')
          .filter(Boolean)
          .reduce((part, name) => part[name] as never, copy as unknown as Record<string, unknown>)
        at.connections = value
      })
      expect(isRemoved ? privilegeEscalations(more, base) : privilegeEscalations(base, more)).not.toEqual([])
    })
  )
})

test('what another system is sent widens, and what is kept back from it does not', () => {
  const outside = AgentConfig.parse({
    agentId: 'a',
    displayName: 'A',
    type: 'external',
    external: { inputUrl: 'https://acme.example/in', retries: 2, redact: ['pin'], activeItem: 'everyMessage' }
  })
  const with_ = (more: object) => ({ ...outside, external: { ...(outside as Outside).external, ...more } })
  expect(privilegeEscalations(outside, with_({ inputUrl: 'https://evil.example' }))).toHaveLength(1)
  expect(privilegeEscalations(outside, with_({ redact: [] }))).toHaveLength(1)
  expect(
    privilegeEscalations(outside, with_({ redact: ['iban', 'pin'], retries: 0, activeItem: 'onChange' }))
  ).toEqual([])
  expect(privilegeEscalations(with_({ activeItem: 'onChange' }), outside)).not.toEqual([])
  expect(privilegeEscalations(outside, with_({ callbackBaseUrl: 'https://evil.example' }))).not.toEqual([])
  expect(privilegeEscalations(outside, with_({ retries: 3 }))).not.toEqual([])
})

test('a list that names something twice is compared whole, and widens', () => {
  const twice = edited(base, ({ chat }) => chat.tools.push({ ...chat.tools[0]! }))
  expect(diffConfigs(base, twice)).toMatchObject([{ path: ['chat', 'tools'], kind: 'changed' }])
  expect(privilegeEscalations(base, twice)).not.toEqual([])
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

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )

test('whatever is done to its plugins lets an agent do more, for all that is known here', () => {
  const guard = { name: 'guard', config: { only: ['acme.example'] }, onFailure: 'stop' as const }
  const other = { name: 'other', onFailure: 'continue' as const }
  const withPlugins = (...plugins: NonNullable<ChatAgent['chat']['plugins']>) =>
    edited(base, ({ chat }) => (chat.plugins = plugins))
  const guarded = withPlugins(guard, other)
  const changed = [
    [base, guarded],
    [guarded, base],
    [guarded, withPlugins(other, guard)],
    [guarded, withPlugins(other)],
    [guarded, withPlugins({ ...guard, onFailure: 'continue' }, other)],
    [guarded, withPlugins({ ...guard, config: { only: [] } }, other)]
  ]
  for (const [before, after] of changed) expect(privilegeEscalations(before, after)).toHaveLength(1)
  expect(privilegeEscalations(guarded, guarded)).toEqual([])
})
