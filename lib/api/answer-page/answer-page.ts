import {
  admitAnswerPage,
  answerByPage,
  askedByPage
} from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { raw } from '#lib/http/raw.ts'
import { asPage, checkForm, page, readForm } from '#lib/http/response/page.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answerOf } from './answer-of.ts'
import { askedPage, lostPage, refusedPage, takenPage } from './asked.ts'

/** For a reader who has the link and knows nothing of calls and their IDs. */
const gone =
  'This request no longer exists. Its session was deleted, or the webhook that sent the link was removed.'

/**
 * The page on which the holder of a link answers a call. The address is the credential: the page reads no cookie and runs no
 * script. To look at it changes nothing, because mail scanners and chat previews look at every link.
 */
export const answerRoute = raw(
  { actor: 'public', path: '/answer/{token}' },
  async ({ request, params: { token = '' }, ctx }) => {
    if (request.method !== 'POST') return page(askedPage(await askedByPage(ctx, token), Date.now()))
    checkForm(request)
    return answer(ctx, token, await readForm(request))
  },
  {
    judge: async ({ ctx, params: { token = '' } }) => ({
      input: undefined,
      link: await admitAnswerPage(ctx, token)
    }),
    refuse: asPage(({ code, message }) => refusedPage(code === 'NOT_FOUND' ? gone : message))
  }
)

/** Answers the call and shows the outcome. */
async function answer(ctx: Ctx, token: string, form: URLSearchParams): Promise<Response> {
  const asked = await askedByPage(ctx, token)
  const answer = answerOf(asked.call, form)
  if ('fault' in answer) return page(askedPage(asked, Date.now(), { form, ...answer }), 422)
  const outcome = await answerByPage(ctx, token, answer)
  const after = await askedByPage(ctx, token)
  if (!('refused' in outcome)) return page(takenPage(after))
  const { code, message: fault } = outcome.refused
  const over = after.call.state !== 'open' || after.call.kind !== after.kind
  return page(over ? lostPage(after) : askedPage(after, Date.now(), { form, fault }), statusOf[code])
}
