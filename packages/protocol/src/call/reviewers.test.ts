import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { privilegeEscalations } from '@waystation/protocol/agent/privilege-escalations.ts'
import { expect, test } from 'vitest'

test('only users who can change agents approve an agent’s proposals, and adding others lets the agent do more', () => {
  const agentWith = (answer?: object, agents?: object) =>
    AgentConfig.parse({
      agentId: 'a',
      displayName: 'A',
      chat: {
        tools: [{ name: 'commit_revision', approval: 'auto', ...(answer && { answer }) }],
        ...(agents && { answer: agents })
      }
    })
  expect(privilegeEscalations(agentWith(), agentWith({ roles: ['operator'] }))).toHaveLength(1)
  expect(privilegeEscalations(agentWith(), agentWith({ people: ['mallory'] }))).toHaveLength(1)
  expect(privilegeEscalations(agentWith(), agentWith({ links: true }))).toHaveLength(1)
  expect(privilegeEscalations(agentWith(), agentWith({ roles: ['owner'] }))).toEqual([])
  expect(privilegeEscalations(agentWith({ roles: ['owner'] }), agentWith())).toHaveLength(1)
  expect(privilegeEscalations(agentWith(), agentWith(undefined, { roles: ['operator'] }))).toEqual([])
})
