import type { Metadata } from 'next'
import { Secrets as Section } from '#components/settings/secrets.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listSecrets } from '#lib/features/secrets/secrets.ts'

export const metadata: Metadata = { title: 'Secrets' }

export default async function Secrets() {
  const ctx = await requireSignIn()
  return (
    <Section secrets={permissionsOf(ctx.actor).mayOwn ? (await listSecrets(ctx, {})).secrets : undefined} />
  )
}
