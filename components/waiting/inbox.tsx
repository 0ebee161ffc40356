'use client'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { unreachable } from '#components/browser/error-text.ts'
import { Button } from '#components/ui/button.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { Page, SplitPage } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { FilterMenus } from './filter-menus.tsx'
import { filtersFor } from './filters.ts'
import { OpenRequest } from './open-request.tsx'
import { isForSeveral, keyOf, merged, type Request } from './request.ts'
import { RequestRow } from './request-row.tsx'
import { isSplit, useInbox } from './use-inbox.ts'
import { useInboxKeys } from './use-inbox-keys.ts'

const Several = lazyPart(async () => (await import('./several.tsx')).Several)

type InboxProps = {
  /** The requests that the server rendered. `more` is true if there are other calls. */
  first: { calls: readonly WaitingCall[]; held: readonly HeldMessage[]; more: boolean }
}

/**
 * Lists the pending calls and held messages of the workspace, nearest deadline first, beside the open one, which is
 * answered here. The store of the session list keeps it up to date.
 */
export function Inbox({ first }: InboxProps) {
  const store = useListStore()
  const { all, held = first.held, offline } = useList()
  const { calls, more } = all ?? first
  const requests = useMemo(() => merged(calls, held), [calls, held])
  const { agents, showKeys } = useWorkspace()
  const agentOf = (agentId: string) => agents.find(one => one.agentId === agentId)?.displayName ?? agentId
  const { mine, set, pending, shown, open, select, show, settle } = useInbox(requests)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const chosen = shown.filter(isForSeveral).filter(request => checked.has(keyOf(request)))
  const forMe = pending.filter(({ mine }) => mine).length
  const list = useRef<HTMLOListElement>(null)
  const detail = useRef<HTMLElement>(null)
  useEffect(() => store.watchAll(), [store])

  /** Several calls can be answered together if they are of one tool. */
  const isCheckable = (request: Request) =>
    isForSeveral(request) && (chosen[0] === undefined || chosen[0].toolName === request.toolName)
  const check = (request: Request) => {
    if (!isCheckable(request)) return
    const key = keyOf(request)
    setChecked(before => new Set(before.has(key) ? [...before].filter(one => one !== key) : [...before, key]))
  }
  const { enter, back } = useInboxKeys({ list, detail, shown, open, select, check })
  /** True until the card of a request that the user opened by keyboard has the focus. */
  const [entering, setEntering] = useState(false)
  useEffect(() => {
    if (!entering || open === undefined) return
    setEntering(false)
    enter()
  }, [entering, open, enter])

  const onSettled = (answered: readonly Request[]) => {
    settle(answered)
    void store.refresh()
  }
  const status = (
    <p
      role="status"
      data-offline={offline || undefined}
      className={offline ? 'pb-3 font-semibold' : 'sr-only'}
    >
      {offline ? `${unreachable} The list may be out of date. Retrying…` : ''}
    </p>
  )
  if (pending.length === 0)
    return (
      <Page title="Waiting">
        {status}
        <p data-hook="nothing-waits" tabIndex={-1} className="max-w-[68ch] outline-none">
          No pending requests. Approvals, questions and held messages of your agents appear here.
        </p>
      </Page>
    )
  return (
    <SplitPage
      title="Waiting"
      label="Request"
      onBack={back}
      empty={null}
      list={
        <div className="flex min-h-full flex-col">
          <div className="flex flex-wrap items-center gap-x-4 pb-2 [&>fieldset]:basis-full [&>fieldset]:pb-1">
            {mine || forMe < pending.length ? (
              <Choices
                label="Show"
                chosen={mine ? 'mine' : 'all'}
                choices={[
                  { value: 'all', label: `All ${pending.length}${more ? '+' : ''}` },
                  { value: 'mine', label: `For you ${forMe}${more ? '+' : ''}` }
                ]}
                onChoose={value => show({ mine: value === 'mine', set })}
              />
            ) : null}
            <FilterMenus
              filters={filtersFor(pending, set, agentOf)}
              set={set}
              onSet={set => show({ mine, set })}
            />
          </div>
          {status}
          {shown.length === 0 ? (
            <p data-hook="nothing-waits" tabIndex={-1} className="outline-none">
              No requests match.{' '}
              <button
                type="button"
                onClick={() => show({ mine: false, set: {} })}
                className="reach underline decoration-rail underline-offset-3"
              >
                Show all {pending.length}
              </button>
            </p>
          ) : (
            <ol
              ref={list}
              id="waits"
              tabIndex={-1}
              aria-label="Pending requests"
              className="border-t outline-none"
            >
              {shown.map(request => (
                <RequestRow
                  key={keyOf(request)}
                  request={request}
                  agent={agentOf(request.agentId)}
                  open={request === open}
                  onOpen={byKey => {
                    select(request)
                    if (byKey || !isSplit()) setEntering(true)
                  }}
                  checked={checked.has(keyOf(request))}
                  onCheck={isCheckable(request) ? () => check(request) : undefined}
                />
              ))}
            </ol>
          )}
          {more ? (
            <p className="mt-3 text-muted">
              Showing the {calls.length} calls with the nearest deadlines. There are more.
            </p>
          ) : null}
          {chosen.length === 0 ? null : (
            <Several
              calls={chosen}
              onClear={() => setChecked(new Set())}
              onSettled={answered => {
                setChecked(new Set())
                onSettled(answered)
              }}
            />
          )}
        </div>
      }
      detail={
        open === undefined ? undefined : (
          <>
            <OpenRequest
              key={keyOf(open)}
              request={open}
              agent={agentOf(open.agentId)}
              detail={detail}
              onSettled={() => onSettled([open])}
            />
            <p className="mt-4 text-muted max-split:hidden pointer-coarse:hidden">
              j and k open other requests. ↵ goes into the card, Esc goes back.{' '}
              <Button tone="quiet" onClick={showKeys} data-hook="show-keys">
                All shortcuts
              </Button>
            </p>
          </>
        )
      }
    />
  )
}
