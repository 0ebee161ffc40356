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
    const sentence = [`The instructions now embed ${embed}.`]
    expect(privilegeEscalations(told('Be brief.'), told(`Be brief. ${embed}`))).toEqual(sentence)
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
  const sentence = ['The rule for who can answer requests from x changed.']
  expect(privilegeEscalations(asks(), asks({ roles: ['owner'] }))).toEqual(sentence)
  expect(privilegeEscalations(asks({ roles: ['owner'] }), asks())).toEqual(sentence)
})
