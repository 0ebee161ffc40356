import { askPage, codePage, enterPage, refusedPage } from '#lib/http/connect-pages.ts'
import type { Shown, Visit } from '#lib/http/visit-route.ts'
import { enterCredential, type Step, sureOf, visitConnect } from '#lib/sessions/visit-connect.ts'

type Ctx = Parameters<typeof visitConnect>[0]

/** One step of connecting an account, in the window that was opened for it. */
export async function show(ctx: Ctx, visit: Visit, { ticket }: { ticket: string }): Promise<Shown> {
  const { form, url } = visit
  const sure = url.searchParams.get('go') === sureOf(ticket, visit)
  if (form === undefined) return shown(await visitConnect(ctx, ticket, visit, sure), ticket, visit)
  return shown(await enterCredential(ctx, ticket, visit, form), ticket, visit)
}

function shown(step: Step, ticket: string, visit: Visit): Shown {
  switch (step.kind) {
    case 'go':
      return { redirect: step.url }
    case 'over':
      return { redirect: `/connect/done/${step.attemptId}` }
    case 'refused':
      return { html: refusedPage(step.words), status: 403 }
    case 'ask':
      return { html: askPage(step, `/connect/${ticket}?go=${sureOf(ticket, visit)}`) }
    case 'code':
      return { html: codePage(step, visit.nonce) }
    case 'enter':
      return { html: enterPage(step, `/connect/${ticket}`), status: step.fault === undefined ? 200 : 422 }
  }
}
