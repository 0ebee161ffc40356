import { expect, test } from 'vitest'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const chatWith = (instructions: string) => ({ chat: { instructions } })
const embedOf = (slug: string, path: string) => ({
  '@ag.embed': { '@ag.references': { agent: { slug } }, '@ag.selector': { path } }
})

/** Each row performs an action in one shared server, and expects the error of its response. */
const steps: [what: string, act: () => Promise<{ body: Record<string, unknown> }>, sentence: string][] = [
  [
    'a revision that there never was',
    () => helper.revision(9),
    'The agent "helper" has no version 9. The published version is 1.'
  ],
  ['a draft that there is not', () => helper.diff(), 'There is no draft of agent "helper".'],
  [
    'a draft that somebody saved meanwhile',
    async () => {
      await helper.save(chatWith('Two.'), { base: 1, version: 0 })
      return helper.save(chatWith('Three.'), { base: 1, version: 0 })
    },
    'Environment key has saved version 1 of this draft, and your change is based on version 0. Reload the draft and make your change again.'
  ],
  [
    'a draft over a revision that is not published any more',
    async () => {
      await helper.put(chatWith('Four.'))
      return helper.publish({ base: 1, version: 1 })
    },
    'Environment key has published version 2 of this agent, and your change is based on version 1. See the differences (GET /api/agents/helper/diff?from=1&to=2), save the draft again with "base": 2, and publish it.'
  ],
  [
    'a draft that was discarded',
    async () => {
      await helper.discard()
      return helper.save(chatWith('Five.'), { base: 2, version: 1 })
    },
    'Environment key has published or discarded the draft of this agent. Reload the agent and make your change again.'
  ],
  [
    'an embed that leads nowhere',
    () => helper.put({ chat: { tools: [embedOf('none', 'chat')] } }),
    'The embed at "chat.tools.0" is invalid: there is no agent none. Correct the reference, or remove the embed.'
  ],
  [
    'tools of an MCP server that would run unasked and are not named',
    () => helper.put({ chat: { tools: [{ mcp: 'shop', approval: 'auto' }] } }),
    'An MCP server with "approval": "auto" needs the list "tools". List its tools, or use "approval": "ask".'
  ]
]

test('an invalid change of an agent gets an error that says what to do', async () => {
  await startTestServer()
  await helper.create(chatWith('One.'))
  for (const [label, act, sentence] of steps) expect((await act()).body.error, label).toBe(sentence)
})
