import { askPage, codePage, enterPage, refusedPage } from '#lib/http/connect-pages.ts'
import type { Shown, Visit } from '#lib/http/visit-route.ts'
import { enterCredential, type Step, visitConnect } from '#lib/sessions/visit-connect.ts'

type Ctx = Parameters<typeof visitConnect>[0]

/** One step of connecting an account, in the window that was opened for it. */
export async function show(ctx: Ctx, visit: Visit, { ticket }: { ticket: string }): Promise<Shown> {
  const { form, url, nonce } = visit
  if (form === undefined)
    return shown(await visitConnect(ctx, ticket, visit, url.searchParams.has('go')), ticket, nonce)
  return shown(await enterCredential(ctx, ticket, visit, form), ticket, nonce)
}

function shown(step: Step, ticket: string, nonce: string): Shown {
  switch (step.kind) {
    case 'go':
      return { redirect: step.url }
    case 'over':
      return { redirect: `/connect/done/${step.attemptId}` }
    case 'refused':
      return { html: refusedPage(step.words), status: 403 }
    case 'ask':
      return { html: askPage(step, `/connect/${ticket}?go`) }
    case 'code':
      return { html: codePage(step, nonce) }
    case 'enter':
      return { html: enterPage(step, `/connect/${ticket}`), status: step.fault === undefined ? 200 : 422 }
  }
}
