import { discardDraft } from '#lib/agents/discard-draft.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { saveDraft } from '#lib/agents/save-draft.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.draft, getDraft)
export const PUT = route(agentOperations.saveDraft, saveDraft)
export const DELETE = route(agentOperations.discardDraft, discardDraft)
