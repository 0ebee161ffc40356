import { getRevision } from '#lib/agents/get-revision.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.revision, getRevision)
