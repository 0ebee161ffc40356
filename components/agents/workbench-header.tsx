import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { DiscardDraft, DraftState } from './draft/draft-state.tsx'
import { PublishDraft } from './draft/publish-draft.tsx'
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
      <h1 className="min-w-0 truncate text-title font-semibold max-split:flex-1">{displayName}</h1>
      <code
        data-hook="agent-id"
        className="min-w-0 shrink-[3] truncate font-mono text-mono text-muted max-split:hidden"
      >
        {agentId}
      </code>
      <div className="flex min-w-0 items-center gap-3 max-split:order-last max-split:basis-full split:flex-1">
        <DraftState draft={draft} />
        {me.mayEdit && draft.pending ? <DiscardDraft draft={draft} /> : null}
      </div>
      {me.maySend ? (
        <Button data-hook="new-session" onClick={() => newSession(agentId)} className="max-mid:hidden">
          New session
        </Button>
      ) : null}
      {me.mayEdit ? <PublishDraft draft={draft} /> : null}
    </header>
  )
}
