import { expect, test } from 'vitest'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { privilegeEscalations } from '#lib/protocol/agent/privilege-escalations.ts'

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
  expect(privilegeEscalations(commits(), commits({ roles: ['operator'] }))).toHaveLength(1)
  expect(privilegeEscalations(commits(), commits({ people: ['mallory'] }))).toHaveLength(1)
  expect(privilegeEscalations(commits(), commits({ links: true }))).toHaveLength(1)
  expect(privilegeEscalations(commits(), commits({ roles: ['owner'] }))).toEqual([])
  expect(privilegeEscalations(commits({ roles: ['owner'] }), commits())).toHaveLength(1)
  expect(privilegeEscalations(commits(), commits(undefined, { roles: ['operator'] }))).toEqual([])
})
