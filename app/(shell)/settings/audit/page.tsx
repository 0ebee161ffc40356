import type { Metadata } from 'next'
import { Audit as Section } from '#components/settings/audit/audit.tsx'
import { auditFilterOf, auditQuery, pageSize } from '#components/settings/audit/audit-filter.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Audit({ searchParams }: Props) {
  const ctx = await requireSignIn()
  const shown = auditFilterOf(await searchParams)
  const { mayOwn } = permissionsOf(ctx.actor)
  const first = mayOwn ? await listAudit(ctx, { ...auditQuery(shown), limit: pageSize }) : undefined
  return <Section first={first} shown={shown} />
}
