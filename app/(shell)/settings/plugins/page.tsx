import type { Metadata } from 'next'
import { Plugins as Section } from '#components/settings/plugins.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listSettings } from '#lib/plugins/settings/settings.ts'

export const metadata: Metadata = { title: 'Plugins' }

export default async function Plugins() {
  const ctx = await requireSignIn()
  const mayEdit = permissionsOf(ctx.actor).mayEdit
  return <Section plugins={mayEdit ? await listSettings(ctx, { workspaceId: ctx.workspaceId }) : []} />
}
