import { decideHeld } from '#lib/features/out-of-band/decide-held.ts'
import { getOutOfBand } from '#lib/features/out-of-band/get-out-of-band.ts'
import { openPageSession } from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import type { PageScope } from '#lib/features/webhooks/answer-links/answer-page-link.ts'
import { page } from '#lib/http/response/page.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { heldOutcomePage, heldPage } from './held-pages.ts'

/**
 * Shows a held out-of-band message to the holder of a link. With a form, approves or removes the message. Throws
 * `NOT_FOUND` if the message, its session or the webhook was deleted.
 */
export async function answerHeld(ctx: Ctx, claim: PageScope, form?: URLSearchParams): Promise<Response> {
  const { session, scoped } = await openPageSession(ctx, claim)
  const named = { sessionId: session.sessionId, oobId: claim.toolCallId }
  const decision = form?.get('do')
  if (decision !== 'yes' && decision !== 'no') {
    const request = { session, message: await getOutOfBand(scoped, named) }
    if (form === undefined) return page(heldPage(request, Date.now()))
    return page(heldPage(request, Date.now(), 'No answer was sent. Select one of the buttons.'), 422)
  }
  const approved = decision === 'yes'
  const { message, decided } = await decideHeld(scoped, { ...named, approved })
  // A repeated form of this link finds the message as the first one left it.
  const decider = approved ? message.approvedBy : message.cancelledBy
  const isOwn = decided || decider === scoped.actor.name
  return page(heldOutcomePage({ session, message }, isOwn ? 'taken' : 'lost'), isOwn ? 200 : 409)
}
