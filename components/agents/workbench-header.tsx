import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { DraftActions } from './draft/draft-actions.tsx'
import { DraftState } from './draft/draft-state.tsx'
import type { EditedDraft } from './draft/use-agent-draft.ts'

/** The name of the open agent, the state of its draft, and the actions. */
export function WorkbenchHeader({ draft }: { draft: EditedDraft }) {
  const { me, newSession } = useWorkspace()
  const { agentId, displayName } = draft.agent
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-5 py-2 mid:px-8">
      <Link href="/agents" className="tap inline-flex items-center text-muted">
        ‹ Agents
      </Link>
      <h1 className="min-w-0 shrink truncate text-title font-semibold">{displayName}</h1>
      <code data-hook="agent-id" className="min-w-0 shrink-[3] truncate font-mono text-mono text-muted">
        {agentId}
      </code>
      <div className="min-w-0 flex-1 max-mid:basis-full">
        <DraftState draft={draft} />
      </div>
      <div className="flex items-center gap-2">
        {me.maySend ? (
          <Button data-hook="new-session" onClick={() => newSession(agentId)}>
            New session
          </Button>
        ) : null}
        {me.mayEdit ? <DraftActions draft={draft} /> : null}
      </div>
    </header>
  )
}
