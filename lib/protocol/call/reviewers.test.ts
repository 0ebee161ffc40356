import { expect, test } from 'vitest'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { widens } from '#lib/protocol/agent/widens.ts'

test('who approves an agent’s proposals are those who may change agents: more than those widens', () => {
  const commits = (answer?: object, agents?: object) =>
    AgentConfig.parse({
      agentId: 'a',
      displayName: 'A',
      chat: {
        tools: [{ name: 'commit_revision', approval: 'auto', ...(answer && { answer }) }],
        ...(agents && { answer: agents })
      }
    })
  expect(widens(commits(), commits({ roles: ['operator'] }))).toHaveLength(1)
  expect(widens(commits(), commits({ people: ['mallory'] }))).toHaveLength(1)
  expect(widens(commits(), commits({ links: true }))).toHaveLength(1)
  expect(widens(commits(), commits({ roles: ['owner'] }))).toEqual([])
  expect(widens(commits({ roles: ['owner'] }), commits())).toHaveLength(1)
  expect(widens(commits(), commits(undefined, { roles: ['operator'] }))).toEqual([])
})
