import type { WikiChange, WikiChanges } from '@waystation/protocol/wiki/wiki-change.ts'
import { useRouter } from 'next/navigation'
import { client } from '#components/browser/client.ts'
import { faultOf, useReadPages } from '#components/browser/queries.tsx'
import { ChangeLine } from '#components/session/content/wiki-change.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Lists the changes of a wiki by agents, newest first. Editors can undo them. */
export function RecentChanges({ wiki, first }: { wiki: string; first: WikiChanges }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const query = useReadPages({
    queryKey: ['wiki-changes', wiki],
    queryFn: ({ pageParam }) =>
      client.call('listWikiChanges', { path: { wiki }, query: { before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }: WikiChanges) => nextBefore ?? undefined,
    first,
    // After an undo, the server renders another first page.
    version: [first]
  })
  const changes = query.data?.pages.flatMap(page => page.changes) ?? []
  const onUndone = me.mayEdit ? () => router.refresh() : undefined
  return (
    <Section title="Recent changes" hook="wiki-changes">
      {changes.length === 0 ? (
        <p className="text-muted">No agent has changed this wiki yet.</p>
      ) : (
        <ul>
          {changes.map(change => (
            <li key={change.change} className="border-b py-2">
              <ChangeLine change={change} client={client} onUndone={onUndone}>
                <Author change={change} />
              </ChangeLine>
            </li>
          ))}
        </ul>
      )}
      <Fault>{faultOf(query)}</Fault>
      {query.hasNextPage ? (
        <Button data-hook="show-more" className="mt-3" onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Section>
  )
}

/** The agent, the user who approved, and a link to the call. */
function Author({ change: { agentName, approvedBy, sessionId, toolCallId } }: { change: WikiChange }) {
  const words = approvedBy === undefined ? agentName : `${agentName}, approved by ${approvedBy}`
  return (
    <>
      {sessionId === null ? words : <Link href={sessionPath(sessionId, { call: toolCallId })}>{words}</Link>}
      {' · '}
    </>
  )
}
