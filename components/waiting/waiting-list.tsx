'use client'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { unreachable } from '#components/browser/error-text.ts'
import { Button } from '#components/ui/button.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { keyOf, merged } from './request.ts'
import { useWaitingKeys } from './use-waiting-keys.ts'
import { WaitingRow } from './waiting-row.tsx'

type WaitingListProps = {
  /** The requests that the server rendered. `more` is true if there are other calls. */
  first: { calls: readonly WaitingCall[]; held: readonly HeldMessage[]; more: boolean }
  mine: boolean
}

/**
 * Lists the pending calls and held messages of the workspace, nearest deadline first: who must answer, since
 * when and until when. One at a time can be open, and is answered in the list. The store of the session list
 * keeps it up to date.
 */
export function WaitingList({ first, mine: asked }: WaitingListProps) {
  const store = useListStore()
  const { all, held = first.held, offline } = useList()
  const { calls, more } = all ?? first
  const requests = useMemo(() => merged(calls, held), [calls, held])
  const [onlyMine, setOnlyMine] = useState(asked)
  const [open, setOpen] = useState<string>()
  const { showKeys } = useWorkspace()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => store.watchAll(), [store])
  const shown = useMemo(
    () => (onlyMine ? requests.filter(({ mine }) => mine) : requests),
    [requests, onlyMine]
  )
  useWaitingKeys(list, shown, () => setOpen(undefined))

  const choose = (mine: boolean) => {
    setOnlyMine(mine)
    window.history.replaceState(null, '', mine ? '/waiting?mine=true' : '/waiting')
  }
  return (
    <div className="[--columns:12px_minmax(0,1fr)_minmax(96px,184px)_72px_152px]">
      {requests.length === 0 ? null : (
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-3">
          <Choices
            label="Show"
            chosen={onlyMine ? 'mine' : 'all'}
            choices={[
              { value: 'all', label: `All ${requests.length}${more ? '+' : ''}` },
              { value: 'mine', label: `For you ${requests.filter(({ mine }) => mine).length}` }
            ]}
            onChoose={value => choose(value === 'mine')}
          />
          <span className="max-mid:hidden">
            <Button tone="quiet" onClick={showKeys} data-hook="show-keys">
              Keyboard shortcuts
            </Button>
          </span>
        </div>
      )}
      <p
        role="status"
        data-offline={offline || undefined}
        className={offline ? 'pb-3 font-semibold' : 'sr-only'}
      >
        {offline ? `${unreachable} The list may be out of date. Retrying…` : ''}
      </p>
      {shown.length === 0 ? (
        <Nothing others={requests.length} onAll={() => choose(false)} />
      ) : (
        <>
          <Heads />
          <ol
            ref={list}
            id="waits"
            tabIndex={-1}
            aria-label="Pending requests"
            className="-mx-3 border-t outline-none"
          >
            {shown.map(request => {
              const key = keyOf(request)
              return (
                <WaitingRow
                  key={key}
                  request={request}
                  open={open === key}
                  toggle={() => setOpen(is => (is === key ? undefined : key))}
                />
              )
            })}
          </ol>
        </>
      )}
      {more ? (
        <p className="mt-4 max-w-[68ch] text-muted">
          Showing the {calls.length} calls with the nearest deadlines. There are more.
        </p>
      ) : null}
    </div>
  )
}

/** The column headings for wide screens. Each row repeats them for screen readers. */
const Heads = () => (
  <div aria-hidden="true" className="hidden grid-cols-(--columns) gap-x-3 pr-12 pb-1 text-muted mid:grid">
    <span className="col-start-2">Request</span>
    <span>Waiting on</span>
    <span>Since</span>
    <span>Until</span>
  </div>
)

/** The empty state of the list, or of the filter for the user's own requests. */
const Nothing = ({ others, onAll }: { others: number; onAll: () => void }) => (
  <p data-hook="nothing-waits" className="max-w-[68ch]">
    {others === 0 ? (
      <>
        No pending requests. When an agent needs an approval, an answer or an external tool, its request
        appears on this page. So does an out-of-band message that needs approval. To give an agent a task,
        start a session.
      </>
    ) : (
      <>
        No requests are waiting for you.{' '}
        <button type="button" onClick={onAll} className="reach underline decoration-rail underline-offset-3">
          {others === 1 ? 'Show 1 request' : `Show ${others} requests`} for others
        </button>
      </>
    )}
  </p>
)
