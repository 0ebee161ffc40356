import { compareRevisions } from '#lib/agents/compare-revisions.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.compare, compareRevisions)
