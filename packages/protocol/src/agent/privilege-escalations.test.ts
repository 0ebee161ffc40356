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

test('a configuration compared with itself has no differences, and no privilege escalations', () => {
  fc.assert(
    fc.property(config, initial => {
      expect(diffConfigs(initial, json(initial))).toEqual([])
      expect(privilegeEscalations(initial, json(initial))).toEqual([])
    })
  )
})

test('two configurations without differences are equal', () => {
  fc.assert(
    fc.property(config, config, (a, b) => {
      expect(diffConfigs(a, b).length === 0).toBe(canonical(a) === canonical(b))
    })
  )
})

test('changes that are added in one direction are removed in the other, at the same paths', () => {
  const inverse = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const
  const pathsOf = (changes: ReturnType<typeof diffConfigs>, isReversed: boolean) =>
    changes
      .filter(({ kind }) => kind !== 'moved')
      .map(({ path, kind }) => `${path.join('/')} ${isReversed ? inverse[kind] : kind}`)
      .sort()
  fc.assert(
    fc.property(config, config, (a, b) => {
      expect(pathsOf(diffConfigs(a, b), false)).toEqual(pathsOf(diffConfigs(b, a), true))
    })
  )
})

test('moving tools is one change, and lets the agent do nothing more', () => {
  fc.assert(
    fc.property(
      config.filter(({ chat }) => chat.tools.length > 1),
      initial => {
        const moved = edited(initial, ({ chat }) => chat.tools.push(chat.tools.shift()!))
        expect(diffConfigs(initial, moved)).toEqual([
          {
            path: ['chat', 'tools'],
            kind: 'moved',
            before: initial.chat.tools.map(labelOf),
            after: moved.chat.tools.map(labelOf)
          }
        ])
        expect(privilegeEscalations(initial, moved)).toEqual([])
      }
    )
  )
})

/** Changes that only restrict a configuration. The test applies them in any order. */
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
    config.chat.buildKit = 'off'
  }
}

test('restrictions never let the agent do more, in any order', () => {
  const steps = fc.array(fc.constantFrom(...Object.keys(narrowings)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(config, steps, (initial, names) => {
      const narrower = names.reduce((before, name) => edited(before, narrowings[name]!), initial)
      expect(privilegeEscalations(initial, narrower), names.join(', ')).toEqual([])
    })
  )
})

/** Checks a policy for one caller, as `answerers.ts` checks a call. */
const canAnswer = (
  policy: ChatAgent['chat']['answer'],
  caller: { role?: string; id?: string; link?: boolean }
) => {
  const { roles, people, notAsker, links } = policy ?? {}
  if (caller.link) return links ?? (roles === undefined && people === undefined && notAsker !== true)
  if (roles === undefined && people === undefined) return true
  return roles?.some(value => value === caller.role) || people?.some(one => one === caller.id) || false
}
const callers = [
  ...['owner', 'editor', 'operator'].flatMap(role => ['ada', 'bob', 'cyd', 'dee'].map(id => ({ role, id }))),
  { link: true }
]

test('a change without escalations keeps every tool, limit and rule within the previous ones', () => {
  const near = config.chain(initial =>
    fc.tuple(
      fc.constant(initial),
      fc.oneof(
        config,
        fc.constantFrom(...Object.values(narrowings)).map(narrow => edited(initial, narrow)),
        config.map(other => ({ ...initial, chat: { ...initial.chat, tools: other.chat.tools } })),
        config.map(
          other => ({ ...initial, chat: { ...initial.chat, answer: other.chat.answer } }) as ChatAgent
        ),
        config.map(other => ({ ...initial, chat: { ...initial.chat, limits: other.chat.limits } }))
      )
    )
  )
  let harmless = 0
  fc.assert(
    fc.property(near, ([before, after]) => {
      if (privilegeEscalations(before, after).length > 0) return
      harmless++
      const [oldChat, newChat] = [chatOf(before), chatOf(after)]
      expect(newChat.model).toBe(oldChat.model)
      const budget = (usd: number) => (usd === 0 ? Infinity : usd)
      expect(newChat.limits.stepsPerTurn).toBeLessThanOrEqual(oldChat.limits.stepsPerTurn)
      expect(newChat.limits.contextTokens).toBeLessThanOrEqual(oldChat.limits.contextTokens)
      expect(budget(newChat.limits.usdPerTurn)).toBeLessThanOrEqual(budget(oldChat.limits.usdPerTurn))
      for (const tool of newChat.tools) {
        const oldTool = oldChat.tools.find(entry => labelOf(entry) === labelOf(tool))
        expect(oldTool, labelOf(tool)).toBeDefined()
        if ('url' in tool) expect((oldTool as typeof tool).url).toBe(tool.url)
        const strictness = ['auto', undefined, 'ask']
        expect(strictness.indexOf(tool.approval)).toBeGreaterThanOrEqual(
          strictness.indexOf(oldTool?.approval)
        )
        const [oldPolicy, newPolicy] = [oldTool?.answer ?? oldChat.answer, tool.answer ?? newChat.answer]
        for (const caller of callers)
          expect(!canAnswer(newPolicy, caller) || canAnswer(oldPolicy, caller)).toBe(true)
        expect(!oldPolicy?.notAsker || newPolicy?.notAsker).toBe(true)
      }
    }),
    { numRuns: 1000 }
  )
  expect(harmless).toBeGreaterThan(50)
})

test('an unknown field lets the agent do more, at any path', () => {
  const path = fc.constantFrom(
    '',
    'chat',
    'chat.limits',
    'chat.tools.0',
    'chat.answer',
    'chat.tools.0.answer'
  )
  fc.assert(
    fc.property(config, path, fc.jsonValue(), fc.boolean(), (initial, path, value, isRemoved) => {
      const base = edited(initial, ({ chat }) => {
        chat.answer ??= { notAsker: true }
        chat.tools[0] ??= { name: 'web-fetch' }
        chat.tools[0].answer ??= { links: false }
      })
      const extended = edited(base, copy => {
        const target = path
          .split('.')
          .filter(Boolean)
          .reduce((part, name) => part[name] as never, copy as unknown as Record<string, unknown>)
        target.connections = value
      })
      expect(
        isRemoved ? privilegeEscalations(extended, base) : privilegeEscalations(base, extended)
      ).not.toEqual([])
    })
  )
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
  expect(privilegeEscalations(externalAgent, changed({ inputUrl: 'https://evil.example' }))).toHaveLength(1)
  expect(privilegeEscalations(externalAgent, changed({ redact: [] }))).toHaveLength(1)
  expect(privilegeEscalations(externalAgent, changed({ history: 5 }))).toHaveLength(1)
  expect(privilegeEscalations(changed({ history: 5 }), changed({ history: 6 }))).toHaveLength(1)
  expect(privilegeEscalations(changed({ history: 5 }), changed({ history: 4 }))).toEqual([])
  expect(privilegeEscalations(changed({ history: 5 }), externalAgent)).toEqual([])
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

test('a list with duplicate labels is compared as a whole, and lets the agent do more', () => {
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
  for (const [before, after] of pairs) expect(privilegeEscalations(before, after)).toHaveLength(1)
  expect(privilegeEscalations(guarded, guarded)).toEqual([])
})

test('only a change that adds wikis to a tool lets the agent do more', () => {
  const withWikis = (wikis?: string[], more: object = {}) => ({
    chat: { tools: [{ name: 'wiki-write', ...(wikis && { wikis }), ...more }] }
  })
  for (const [before, after] of [
    [undefined, ['garden']],
    [['garden', 'kitchen'], ['kitchen']],
    [
      ['garden', 'kitchen'],
      ['kitchen', 'garden']
    ]
  ])
    expect(privilegeEscalations(withWikis(before), withWikis(after))).toEqual([])
  expect(privilegeEscalations(withWikis(['garden']), withWikis())).toHaveLength(1)
  expect(privilegeEscalations(withWikis(['garden']), withWikis(['garden', 'kitchen']))).toEqual([
    expect.stringContaining('kitchen')
  ])
  // The embedded tool can have fewer wikis.
  const embed = { '@ag.embed': {} }
  expect(privilegeEscalations(withWikis(undefined, embed), withWikis(['garden'], embed))).not.toEqual([])
})
