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
    const sentence = [`The instructions now embed ${embed}.`]
    expect(
      privilegeEscalations(withInstructions('Be brief.'), withInstructions(`Be brief. ${embed}`))
    ).toEqual(sentence)
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
  const sentence = ['The rule for who can answer requests from x changed.']
  expect(privilegeEscalations(withPolicy(), withPolicy({ roles: ['owner'] }))).toEqual(sentence)
  expect(privilegeEscalations(withPolicy({ roles: ['owner'] }), withPolicy())).toEqual(sentence)
})
