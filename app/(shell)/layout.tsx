import { ListSessions } from '@waystation/protocol/session/session.ts'
import type { ReactNode } from 'react'
import { Shell } from '#components/shell/shell.tsx'
import { listAgents } from '#lib/agents/list.ts'
import { kitByDefault } from '#lib/agents/overlay/kit-by-default.ts'
import { leave } from '#lib/auth/sign-in/leave.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listWorkspaces } from '#lib/auth/workspaces/list-workspaces.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listViews } from '#lib/plugins/views/views.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'

export default async function ShellLayout({ children }: { children: ReactNode }) {
  const ctx = await requireSignIn()
  const [page, waiting, { agents }, { workspaces }, views, hasKit] = await Promise.all([
    listSessions(ctx, ListSessions.parse({})),
    listPendingCalls(ctx, { mine: true }),
    listAgents(ctx, {}),
    listWorkspaces(ctx),
    listViews(ctx, { workspaceId: ctx.workspaceId }),
    kitByDefault(ctx)
  ])
  return (
    <>
      <meta name="waystation-workspace" content={ctx.workspaceId} />
      <Shell
        me={permissionsOf(ctx.actor)}
        agents={agents.map(agent => ({
          agentId: agent.agentId,
          displayName: agent.displayName,
          description: agent.description,
          external: agent.type === 'external',
          buildKit: hasKit(agent),
          lists: agent.type === 'external' && agent.external.checkUrl !== undefined
        }))}
        workspaces={workspaces}
        leave={leave}
        views={views}
        first={{ page, waiting: waiting.calls.length + waiting.held.filter(({ mine }) => mine).length }}
      >
        {children}
      </Shell>
    </>
  )
}
