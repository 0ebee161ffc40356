import { preflight } from '#lib/http/cors.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'
import { reviewProposal } from '#lib/sessions/review-proposal.ts'

export const POST = route(callOperations.review, reviewProposal)
export const OPTIONS = preflight
