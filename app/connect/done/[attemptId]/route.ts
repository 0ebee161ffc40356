import { donePage, refusedPage } from '#lib/http/connect-pages.ts'
import { type Shown, visitRoute } from '#lib/http/visit-route.ts'
import { endedAttempt } from '#lib/sessions/return-connect.ts'

/** How it ended: told to the page that opened this window, and to whoever looks at it. No token and no code is here. */
export const GET = visitRoute<{ attemptId: string }>(
  '/connect/done/{attemptId}',
  async (ctx, { browser, nonce }, { attemptId }): Promise<Shown> => {
    const attempt = await endedAttempt(ctx, attemptId, browser)
    if (attempt?.outcome) return { html: donePage({ ...attempt, outcome: attempt.outcome }, nonce) }
    return {
      html: refusedPage(
        'This connection request is unknown or has expired. Go back to Waystation and connect again.'
      ),
      status: 404
    }
  },
  refusedPage
)
