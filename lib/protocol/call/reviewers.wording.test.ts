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
  const asks = (who: string) => [`${who} can answer requests from commit_revision.`]
  expect(privilegeEscalations(commits(), commits({ roles: ['operator'] }))).toEqual(asks('Operators'))
  expect(privilegeEscalations(commits(), commits({ people: ['mallory'] }))).toEqual(asks('Mallory'))
  expect(privilegeEscalations(commits(), commits({ links: true }))).toEqual(
    asks('Answer links and session tokens')
  )
  expect(privilegeEscalations(commits(), commits({ roles: ['owner'] }))).toEqual([])
  expect(privilegeEscalations(commits({ roles: ['owner'] }), commits())).toEqual(asks('Editors'))
  expect(privilegeEscalations(commits(), commits(undefined, { roles: ['operator'] }))).toEqual([])
})
