import { ListSessions } from '@waystation/protocol/session/session.ts'
import type { ReactNode } from 'react'
import { Shell } from '#components/shell/shell.tsx'
import { listAgents } from '#lib/agents/list.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listWorkspaces } from '#lib/auth/workspaces/list-workspaces.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listViews } from '#lib/plugins/views/views.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'

export default async function ShellLayout({ children }: { children: ReactNode }) {
  const ctx = await requireSignIn()
  const [page, waiting, { agents }, { workspaces }, views] = await Promise.all([
    listSessions(ctx, ListSessions.parse({})),
    listPendingCalls(ctx, { mine: true }),
    listAgents(ctx, {}),
    listWorkspaces(ctx),
    listViews(ctx, { workspaceId: ctx.workspaceId })
  ])
  return (
    <Shell
      me={permissionsOf(ctx.actor)}
      agents={agents.map(({ agentId, displayName, description, type }) => ({
        agentId,
        displayName,
        description,
        external: type === 'external'
      }))}
      workspaces={workspaces}
      views={views}
      first={{ page, waiting: waiting.calls.length }}
    >
      {children}
    </Shell>
  )
}
