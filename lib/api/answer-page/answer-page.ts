import {
  answerByPage,
  authenticateAnswerPage,
  readAnswerPage,
  readPageClaim
} from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { raw } from '#lib/http/raw.ts'
import { asPage, checkForm, page, readForm } from '#lib/http/response/page.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { publicPaths } from '#lib/kernel/public-paths.ts'
import { answerOf } from './answer-of.ts'
import { answerHeld } from './held-answer.ts'
import { acceptedPage, errorPage, requestPage, tooLatePage } from './pages.ts'

/** The reader has only the link, so the message does not mention calls or IDs. */
const notFoundMessage =
  'This request no longer exists. Its session was deleted, or the webhook that sent the link was removed.'

/**
 * The page where the holder of a link answers a call, or approves a held out-of-band message. The URL is the credential,
 * so the page reads no cookie and runs no script. A GET changes nothing, because mail scanners and chat previews open
 * every link.
 */
export const answerRoute = raw(
  { actor: 'public', path: publicPaths.answer },
  async ({ request, params: { token = '' }, ctx }) => {
    const isForm = request.method === 'POST'
    if (isForm) checkForm(request)
    const claim = await readPageClaim(ctx, token)
    if (claim.kind === 'oob') return answerHeld(ctx, claim, isForm ? await readForm(request) : undefined)
    if (!isForm) return page(requestPage(await readAnswerPage(ctx, token), Date.now()))
    return answer(ctx, token, await readForm(request))
  },
  {
    precheck: async ({ ctx, params: { token = '' } }) => ({
      input: undefined,
      link: await authenticateAnswerPage(ctx, token)
    }),
    writeError: asPage(({ code, message }) => errorPage(code === 'NOT_FOUND' ? notFoundMessage : message))
  }
)

/** Answers the call and shows the outcome. */
async function answer(ctx: Ctx, token: string, form: URLSearchParams): Promise<Response> {
  const request = await readAnswerPage(ctx, token)
  const answer = answerOf(request.call, form)
  if ('error' in answer) return page(requestPage(request, Date.now(), { form, ...answer }), 422)
  const outcome = await answerByPage(ctx, token, answer)
  const updated = await readAnswerPage(ctx, token)
  if (!('refused' in outcome)) return page(acceptedPage(updated))
  const { code, message: error } = outcome.refused
  const isClosed = updated.call.state !== 'open' || updated.call.kind !== updated.kind
  return page(
    isClosed ? tooLatePage(updated) : requestPage(updated, Date.now(), { form, error }),
    statusOf[code]
  )
}
