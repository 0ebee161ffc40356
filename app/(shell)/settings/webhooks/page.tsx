import type { Metadata } from 'next'
import { Webhooks as Section } from '#components/settings/webhooks.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listWebhooks } from '#lib/features/webhooks/webhooks.ts'

export const metadata: Metadata = { title: 'Webhooks' }

export default async function Webhooks() {
  const ctx = await requireSignIn()
  return (
    <Section
      webhooks={permissionsOf(ctx.actor).mayOwn ? (await listWebhooks(ctx, {})).webhooks : undefined}
    />
  )
}
