import { redirect } from 'next/navigation'
import { viewHref } from '#components/plugins/views/view-href.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listViews } from '#lib/plugins/views/views.ts'

/** Redirects to the first view of the workspace, or to the plugins page if there is none. */
export default async function Views() {
  const ctx = await requireSignIn()
  const views = await listViews(ctx, { workspaceId: ctx.workspaceId })
  const [first] = views.filter(({ scope }) => scope === 'workspace')
  redirect(first === undefined ? '/plugins' : viewHref(first))
}
