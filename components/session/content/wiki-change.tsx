import type { WaystationClient } from '@waystation/client'
import type { WikiChange } from '@waystation/protocol/wiki/wiki-change.ts'
import type { ReactNode } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time.tsx'

type ChangeLineProps = {
  change: WikiChange
  client: WaystationClient
  /** Called after an undo. Absent: the user cannot undo. */
  onUndone?: (() => void) | undefined
  /** The author, or a link to the call. */
  children?: ReactNode
}

const actionWords = { created: 'Created', changed: 'Changed', renamed: 'Renamed', deleted: 'Deleted' }

/** Shows a change of a wiki by an agent, with a button that undoes it. */
export function ChangeLine({ change, client, onUndone, children }: ChangeLineProps) {
  const { wiki, action, title, newTitle, updated = [], at, undoneBy, undoneAt } = change
  const others = updated.length === 1 ? '1 other tiddler' : `${updated.length} other tiddlers`
  return (
    <div data-hook="wiki-change" className="flex flex-wrap items-baseline gap-x-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="[overflow-wrap:anywhere]">
          {actionWords[action]} <TiddlerLink wiki={wiki} title={title} />
          {newTitle === undefined ? null : (
            <>
              {' to '}
              <TiddlerLink wiki={wiki} title={newTitle} />
            </>
          )}
          {updated.length > 0 ? `, and updated ${others}` : ''}
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">
          {children}
          <Time at={at} short />
          {undoneBy === undefined || undoneAt === undefined ? null : (
            <span data-hook="undone">
              {' · '}undone by {undoneBy} <Time at={undoneAt} short />
            </span>
          )}
        </p>
      </div>
      {undoneBy !== undefined || onUndone === undefined ? null : (
        <ConfirmButton
          data-hook="undo-change"
          tone="quiet"
          aria-label={`Undo change of ${title}…`}
          title={`Undo the change of ${title}?`}
          description={
            action === 'created'
              ? 'This deletes the tiddler. You cannot get the text of the agent back.'
              : 'This restores the old content. You cannot get the text of the agent back.'
          }
          act="Undo change"
          onAct={async () => {
            const reply = await replyTo(
              client.call('undoWikiChange', { path: { wiki, changeId: change.change } })
            )
            if (!reply.ok) return changeError(reply)
            onUndone()
          }}
        >
          Undo…
        </ConfirmButton>
      )}
    </div>
  )
}

const TiddlerLink = ({ wiki, title }: { wiki: string; title: string }) => (
  <Link href={`/wikis/${wiki}?tiddler=${encodeURIComponent(title)}`} className="font-semibold">
    {title}
  </Link>
)

/** Shows the changes of a call in its row. */
export function CallChanges({ wiki, toolCallId }: { wiki: string; toolCallId: string }) {
  const { store } = useSessionContext()
  const query = useRead({
    queryKey: ['wiki-changes', wiki, toolCallId],
    queryFn: () => store.client.call('listWikiChanges', { path: { wiki }, query: { toolCallId } })
  })
  return (
    <>
      <p role="alert" className="text-fail empty:hidden">
        {faultOf(query)}
      </p>
      {query.data?.changes.map(change => (
        <ChangeLine
          key={change.change}
          change={change}
          client={store.client}
          onUndone={() => void query.refetch()}
        />
      ))}
    </>
  )
}
