import { publishDraft } from '#lib/agents/publish-draft.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(agentOperations.publish, publishDraft)
