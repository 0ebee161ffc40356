import type { Metadata } from 'next'
import { Keys } from '#components/settings/keys.tsx'
import { listKeys } from '#lib/auth/keys/list-keys.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'

export const metadata: Metadata = { title: 'API keys' }

export default async function APIkeys() {
  const ctx = await requireSignIn()
  return <Keys keys={permissionsOf(ctx.actor).mayOwn ? (await listKeys(ctx, {})).keys : undefined} />
}
