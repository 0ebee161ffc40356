import { answerByPage, askedByPage } from '#lib/deliveries/answer-by-page.ts'
import type { WholePage } from '#lib/http/page-route.ts'
import { statusOf } from '#lib/http/problem.ts'
import { answerOf } from './answer-of.ts'
import { askedPage, lostPage, refusedPage, takenPage } from './asked.ts'

type Ctx = Parameters<typeof askedByPage>[0]

/** Without a form it only looks, whoever asks. With one it answers, and shows what came of it. */
export async function show(
  ctx: Ctx,
  { token }: { token: string },
  form?: URLSearchParams
): Promise<WholePage> {
  try {
    return await open(ctx, token, form)
  } catch (error) {
    if (!isGone(error)) throw error
    return { html: refusedPage(gone), status: statusOf.NOT_FOUND }
  }
}

/** For somebody who has the link and knows nothing of calls and their IDs. */
const gone =
  'This request no longer exists. Its session was deleted, or the webhook that sent the link was removed.'

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'NOT_FOUND'

async function open(ctx: Ctx, token: string, form: URLSearchParams | undefined): Promise<WholePage> {
  const asked = await askedByPage(ctx, token)
  if (form === undefined) return { html: askedPage(asked, Date.now()) }
  const answer = answerOf(asked.call, form)
  if ('fault' in answer) return { html: askedPage(asked, Date.now(), { form, ...answer }), status: 422 }
  const outcome = await answerByPage(ctx, token, answer)
  const after = await askedByPage(ctx, token)
  if (!('refused' in outcome)) return { html: takenPage(after) }
  const { code, message: fault } = outcome.refused
  const over = after.call.state !== 'open' || after.call.kind !== after.kind
  return {
    html: over ? lostPage(after) : askedPage(after, Date.now(), { form, fault }),
    status: statusOf[code]
  }
}
