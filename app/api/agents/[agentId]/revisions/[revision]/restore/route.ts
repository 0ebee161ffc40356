import { restoreRevision } from '#lib/agents/restore-revision.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(agentOperations.restore, restoreRevision)
