import { redirect } from 'next/navigation'
import { viewHref } from '#components/plugins/views/view-href.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listViews } from '#lib/plugins/views/views.ts'

/** The first of the workspace's views; without one, where plugins are explained. */
export default async function Views() {
  const ctx = await requireSignIn()
  const views = await listViews(ctx, { workspaceId: ctx.workspaceId })
  const [first] = views.filter(({ scope }) => scope === 'workspace')
  redirect(first === undefined ? '/plugins' : viewHref(first))
}
