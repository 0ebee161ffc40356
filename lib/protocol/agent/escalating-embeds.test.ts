import { expect, test } from 'vitest'
import { AgentConfig } from './agent.ts'
import { privilegeEscalations } from './privilege-escalations.ts'

const withChat = (chat: object) => AgentConfig.parse({ agentId: 'a', displayName: 'A', chat })
const embedded = (more: object) => ({
  '@ag.embed': { '@ag.references': { agent: { slug: 'library' } }, '@ag.selector': { path: 'chat.tools.0' } },
  ...more
})

test('instructions that bring what stands elsewhere widen: they may be another agent’s', () => {
  const told = (instructions: string) => withChat({ instructions })
  const [snippet, token] = [
    '@{{agent.slug=b, path:chat.instructions}}',
    '@ag.embed[@ag.references[agent.slug=b], @ag.selector[path:chat.instructions]]'
  ]
  for (const embed of [snippet, token]) {
    expect(privilegeEscalations(told('Be brief.'), told(`Be brief. ${embed}`))).toHaveLength(1)
    expect(
      privilegeEscalations(told(`@{{ ${token}`), told(`@{{ ${token} @{{user.name}} ${embed}`)).length
    ).toBeGreaterThan(0)
    expect(privilegeEscalations(told(`${embed} Be brief.`), told(`Be kind. ${embed}`))).toEqual([])
    expect(privilegeEscalations(told(embed), told('Be brief.'))).toEqual([])
  }
})

test('who may answer what an embedded tool asks is not known where it does not say so: another word for it widens', () => {
  const agents = { answer: { roles: ['owner'] } }
  const asks = (answer?: object) =>
    withChat({ ...agents, tools: [embedded({ name: 'x', ...(answer && { answer }) })] })
  expect(privilegeEscalations(asks(), asks({ roles: ['owner'] }))).toHaveLength(1)
  expect(privilegeEscalations(asks({ roles: ['owner'] }), asks())).toHaveLength(1)
})

test('a tool that stood before another one of the same name and goes widens: the other is used then', () => {
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
  const apart = [fetch, linear, { name: 'ask-question' }]
  expect(privilegeEscalations(withChat({ tools: apart }), withChat({ tools: apart.toReversed() }))).toEqual(
    []
  )
  expect(privilegeEscalations(withChat({ tools: apart }), withChat({ tools: apart.slice(1) }))).toEqual([])
})
