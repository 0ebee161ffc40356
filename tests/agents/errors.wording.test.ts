import { expect, test } from 'vitest'
import { agentAt } from '#tests/support/worlds/agent-at.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const helper = agentAt('helper')
const saying = (instructions: string) => ({ chat: { instructions } })
const of = (slug: string, path: string) => ({
  '@ag.embed': { '@ag.references': { agent: { slug } }, '@ag.selector': { path } }
})

/** One story in one world: each row does something and expects what its response says. */
const story: [what: string, act: () => Promise<{ body: Record<string, unknown> }>, sentence: string][] = [
  [
    'a revision that there never was',
    () => helper.revision(9),
    'The agent "helper" has no revision 9. The published revision is 1.'
  ],
  ['a draft that there is not', () => helper.diff(), 'There is no draft of agent "helper".'],
  [
    'a draft that somebody saved meanwhile',
    async () => {
      await helper.save(saying('Two.'), { base: 1, version: 0 })
      return helper.save(saying('Three.'), { base: 1, version: 0 })
    },
    'Environment key has saved version 1 of this draft, and your change is based on version 0. Reload the draft and make your change again.'
  ],
  [
    'a draft over a revision that is not published any more',
    async () => {
      await helper.put(saying('Four.'))
      return helper.publish({ base: 1, version: 1 })
    },
    'Environment key has published revision 2 of this agent, and your change is based on revision 1. See the differences (GET /api/agents/helper/diff?from=1&to=2), save the draft again with "base": 2, and publish it.'
  ],
  [
    'a draft that was discarded',
    async () => {
      await helper.discard()
      return helper.save(saying('Five.'), { base: 2, version: 1 })
    },
    'Environment key has published or discarded the draft of this agent. Reload the agent and make your change again.'
  ],
  [
    'an embed that leads nowhere',
    () => helper.put({ chat: { tools: [of('none', 'chat')] } }),
    'The embed at "chat.tools.0" is invalid: there is no agent none. Correct the reference, or remove the embed.'
  ],
  [
    'tools of an MCP server that would run unasked and are not named',
    () => helper.put({ chat: { tools: [{ mcp: 'shop', approval: 'auto' }] } }),
    'An MCP server with "approval": "auto" needs the list "tools". List its tools, or use "approval": "ask".'
  ]
]

test('what is wrong with a change of an agent is told in a sentence that says what to do', async () => {
  await testWorld()
  await helper.create(saying('One.'))
  for (const [what, act, sentence] of story) expect((await act()).body.error, what).toBe(sentence)
})
