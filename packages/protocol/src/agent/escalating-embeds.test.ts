import { expect, test } from 'vitest'
import { AgentConfig } from './agent.ts'
import { privilegeEscalations } from './privilege-escalations.ts'

const withChat = (chat: object) => AgentConfig.parse({ agentId: 'a', displayName: 'A', chat })
const embedded = (more: object) => ({
  '@ag.embed': { '@ag.references': { agent: { slug: 'library' } }, '@ag.selector': { path: 'chat.tools.0' } },
  ...more
})

test('instructions that embed other text let the agent do more, because it can be another agent’s', () => {
  const withInstructions = (instructions: string) => withChat({ instructions })
  const [snippet, token] = [
    '@{{agent.slug=b, path:chat.instructions}}',
    '@ag.embed[@ag.references[agent.slug=b], @ag.selector[path:chat.instructions]]'
  ]
  for (const embed of [snippet, token]) {
    expect(
      privilegeEscalations(withInstructions('Be brief.'), withInstructions(`Be brief. ${embed}`))
    ).toHaveLength(1)
    expect(
      privilegeEscalations(
        withInstructions(`@{{ ${token}`),
        withInstructions(`@{{ ${token} @{{user.name}} ${embed}`)
      ).length
    ).toBeGreaterThan(0)
    expect(
      privilegeEscalations(withInstructions(`${embed} Be brief.`), withInstructions(`Be kind. ${embed}`))
    ).toEqual([])
    expect(privilegeEscalations(withInstructions(embed), withInstructions('Be brief.'))).toEqual([])
  }
})

test('a changed answer policy of an embedded tool lets the agent do more, because the original policy is unknown', () => {
  const agents = { answer: { roles: ['owner'] } }
  const withPolicy = (answer?: object) =>
    withChat({ ...agents, tools: [embedded({ name: 'x', ...(answer && { answer }) })] })
  expect(privilegeEscalations(withPolicy(), withPolicy({ roles: ['owner'] }))).toHaveLength(1)
  expect(privilegeEscalations(withPolicy({ roles: ['owner'] }), withPolicy())).toHaveLength(1)
})

test('removing or moving a tool lets the agent do more if another tool with the same name is used instead', () => {
  const fetch = { name: 'web-fetch', approval: 'auto' }
  const linear = { mcp: 'linear', approval: 'auto' }
  for (const [first, second] of [
    [embedded({ approval: 'ask' }), fetch],
    [{ name: 'linear__list', approval: 'ask' }, linear],
    [{ name: 'connect_linear' }, linear],
    [{ mcp: 'linear', tools: ['list'] }, linear]
  ]) {
    const both = withChat({ tools: [first, second] })
    expect(privilegeEscalations(both, withChat({ tools: [second, first] }))).toHaveLength(1)
    expect(privilegeEscalations(both, withChat({ tools: [second] }))).toHaveLength(1)
    expect(privilegeEscalations(both, withChat({ tools: [first] }))).toEqual([])
  }
  const distinct = [fetch, linear, { name: 'ask-question' }]
  expect(
    privilegeEscalations(withChat({ tools: distinct }), withChat({ tools: distinct.toReversed() }))
  ).toEqual([])
  expect(privilegeEscalations(withChat({ tools: distinct }), withChat({ tools: distinct.slice(1) }))).toEqual(
    []
  )
})
