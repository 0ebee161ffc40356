import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import { CancelWait } from '#components/session/content/cancel-wait.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Time } from '#components/ui/time.tsx'

/** The calls in the loaded part of the session, newest first, with kind, deadline and outcome. */
export function CallsTab() {
  const calls = useSessionState(state => state.transcript.calls)
  const sorted = Object.values(calls).sort((a, b) => b.since.localeCompare(a.since))
  if (sorted.length === 0) return <p className="px-4 py-3 text-muted">No calls yet.</p>
  return (
    <ol aria-label="Calls" data-hook="calls" className="h-full overflow-y-auto">
      {sorted.map(call => (
        <CallFacts key={call.toolCallId} call={call} />
      ))}
    </ol>
  )
}

const looks: Partial<Record<Call['state'], string>> = { failed: 'text-fail', open: 'font-semibold' }

function CallFacts({ call }: { call: Call }) {
  const { go } = useSessionContext()
  const facts = [
    ['kind', call.kind === call.where ? call.kind : `${call.kind}, ${call.where}`],
    ['opened', <Time key="opened" at={call.since} />],
    ['deadline', <Time key="deadline" at={call.deadline} />],
    ['on deadline', call.onDeadline],
    ...(call.answeredBy === undefined ? [] : [['answered by', call.answeredBy]]),
    ...(call.via === undefined ? [] : [['via', call.via]])
  ] as const
  return (
    <li className="border-b px-4 py-3">
      <button
        type="button"
        title="Show in transcript"
        onClick={() => go({ inspect: 'calls', call: call.toolCallId })}
        className="tap flex w-full items-center justify-between gap-3 text-left"
      >
        <span className="truncate font-mono text-mono font-semibold">{call.toolName}</span>
        <span className={looks[call.state] ?? 'text-muted'}>{call.state}</span>
      </button>
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] pt-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="truncate">{value}</dd>
          </div>
        ))}
      </dl>
      {isWaiting(call) ? <CancelWait call={call} quiet /> : null}
    </li>
  )
}
