import { endedAttempt, returnConnect } from '#lib/features/connections/return-connect.ts'
import {
  confirmationToken,
  enterCredential,
  type Step,
  visitConnect
} from '#lib/features/connections/visit-connect.ts'
import { page, seeOther } from '#lib/http/response/page.ts'
import { publicPaths, withValue } from '#lib/kernel/public-paths.ts'
import { askPage, codePage, donePage, enterPage, errorPage } from './pages.ts'
import { type BrowserVisit, browserPage } from './visit.ts'

/**
 * The window in which a user connects an account. The browser that started the attempt continues to the provider. Any
 * other browser must confirm first.
 */
export const connectRoute = browserPage(publicPaths.connect, async (ctx, visit, { ticket = '' }) => {
  const { form, url } = visit
  const isConfirmed = url.searchParams.get('go') === confirmationToken(ticket, visit)
  const step =
    form === undefined
      ? await visitConnect(ctx, ticket, visit, isConfirmed)
      : await enterCredential(ctx, ticket, visit, form)
  return show(step, ticket, visit)
})

function show(step: Step, ticket: string, visit: BrowserVisit): Response {
  const connectPath = withValue(publicPaths.connect, ticket)
  switch (step.kind) {
    case 'go':
      return seeOther(step.url)
    case 'over':
      return seeOther(withValue(publicPaths.connectDone, step.attemptId))
    case 'refused':
      return page(errorPage(step.words), 403)
    case 'ask':
      return page(askPage(step, `${connectPath}?go=${confirmationToken(ticket, visit)}`))
    case 'code':
      return page(codePage(step, visit.nonce))
    case 'enter':
      return page(enterPage(step, connectPath), step.error === undefined ? 200 : 422)
  }
}

/**
 * The redirect URI for all providers (RFC 6749, 3.1.2). It redeems the code in its query and redirects the browser to a
 * URL without a code.
 */
export const connectCallbackRoute = browserPage(publicPaths.connectCallback, async (ctx, visit) => {
  const returned = await returnConnect(ctx, visit.url, visit)
  if ('refused' in returned) return page(errorPage(returned.refused), 403)
  return seeOther(withValue(publicPaths.connectDone, returned.attemptId))
})

/** Shows how an attempt ended and notifies the page that opened this window. The page contains no token and no code. */
export const connectDoneRoute = browserPage(
  publicPaths.connectDone,
  async (ctx, { browser, nonce }, { attemptId = '' }) => {
    const attempt = await endedAttempt(ctx, attemptId, browser)
    if (attempt?.outcome) return page(donePage({ ...attempt, outcome: attempt.outcome }, nonce))
    return page(
      errorPage(
        'This connection request is unknown or has expired. Go back to Waystation and connect again.'
      ),
      404
    )
  }
)
