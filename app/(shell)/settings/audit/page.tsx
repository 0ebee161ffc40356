import type { Metadata } from 'next'
import { auditFilterOf, auditQuery, pageSize } from '#components/settings/audit-filter.ts'
import { AuditList } from '#components/settings/audit-list.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Audit({ searchParams }: Props) {
  const ctx = await requireSignIn()
  const shown = auditFilterOf(await searchParams)
  return (
    <Page title="Audit log" above={{ href: '/settings', label: 'Settings' }}>
      {permissionsOf(ctx.actor).mayOwn ? (
        <AuditList first={await listAudit(ctx, { ...auditQuery(shown), limit: pageSize })} shown={shown} />
      ) : (
        <p data-hook="owners-only" className="text-muted">
          Only workspace owners can view the audit log. Ask one of them for access.
        </p>
      )}
    </Page>
  )
}
