'use client'
import Link from 'next/link'
import { useState } from 'react'
import { whyOf } from '#components/session/face.ts'
import { StateGlyph } from '#components/session/state-glyph.tsx'
import { useNow } from '#components/session/use-now.ts'
import { useShell } from '#components/shell/shell-context.ts'
import { waitsForPerson } from '#lib/protocol/call.ts'
import type { WaitingCall } from '#lib/protocol/waiting-call.ts'
import { OpenCall } from './open-call.tsx'
import { useWaiting } from './use-waiting.ts'

/** Every open call of the workspace, nearest deadline first. One is open at a time, to be answered where it stands. */
export function WaitingList({ first }: { first: readonly WaitingCall[] }) {
  const calls = useWaiting(first)
  const [open, setOpen] = useState<string>()
  if (calls.length === 0)
    return (
      <p className="max-w-[68ch]">
        Nothing waits. When an agent needs an approval, an answer or another system, it stands here until
        somebody settles it or its time is up.
      </p>
    )
  const list = (
    <ol id="waits" tabIndex={-1} aria-label="What waits" className="max-w-[760px] border-t outline-none">
      {calls.map(call => {
        const key = keyOf(call)
        return (
          <WaitingRow
            key={key}
            call={call}
            open={open === key}
            toggle={() => setOpen(shown => (shown === key ? undefined : key))}
          />
        )
      })}
    </ol>
  )
  if (calls.length < pageSize) return list
  return (
    <>
      {list}
      <p className="mt-4 max-w-[68ch]">
        These are the {pageSize} with the nearest deadlines. More wait behind them.
      </p>
    </>
  )
}

/** What the server gives at once. */
const pageSize = 500

const keyOf = (call: WaitingCall) => `${call.sessionId} ${call.toolCallId}`

function WaitingRow({ call, open, toggle }: { call: WaitingCall; open: boolean; toggle: () => void }) {
  const now = useNow()
  const { me, agents } = useShell()
  const forPerson = waitsForPerson(call)
  const agent = agents.find(({ agentId }) => agentId === call.agentId)?.displayName ?? call.agentId
  return (
    <li className="border-b">
      <div className="grid grid-cols-[12px_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
        <StateGlyph kind={forPerson ? (me.mayAnswer ? 'parked' : 'not-mine') : 'parked-other'} />
        <button type="button" aria-expanded={open} onClick={toggle} className="tap min-w-0 text-left">
          <span className="block truncate font-semibold">{whyOf([call], now)}</span>
          <span className="block truncate text-muted">
            {call.title || call.sessionId} · {agent}
          </span>
        </button>
        <Link
          href={`/sessions/${call.sessionId}?call=${call.toolCallId}`}
          prefetch={false}
          className="tap inline-flex items-center"
        >
          Open session
        </Link>
      </div>
      {open ? (
        <div className="pb-4 pl-6">
          <OpenCall call={call} agentName={agent} />
        </div>
      ) : null}
    </li>
  )
}
