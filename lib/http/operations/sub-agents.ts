import { SubAgents } from '@waystation/protocol/agent/listed-sub-agent.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { operation } from '#lib/http/operation.ts'

export const subAgentOperations = {
  list: operation({
    id: 'listSubAgents',
    method: 'GET',
    path: '/api/sessions/{sessionId}/sub-agents',
    summary: "List a session's sub-agents and their pending calls",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InSession,
    answer: SubAgents,
    errors: ['NOT_FOUND']
  })
}
