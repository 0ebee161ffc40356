'use client'
import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { alarmTool } from '@waystation/protocol/call/tool-names.ts'
import { clsx } from 'clsx'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { setWords } from '#components/session/wording/alarm-words.ts'
import { durationOf, outcomeOf } from '#components/session/wording/call-words.ts'
import { isConnected } from '#components/session/wording/connect-words.ts'
import { shortTrouble } from '#components/session/wording/delivery-words.ts'
import { salientArgument } from '#components/session/wording/describe-call.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'
import { ToolDetails } from './tool-details.tsx'

/**
 * A tool call in one line: name, main argument, outcome and duration. It opens to arguments, result and who
 * answered. A pending call of an external system is open by default, because users need its answer link.
 */
export function ToolRow({ row, expanded, onToggle }: RowProps<'tool'>) {
  const { part, call } = row
  const { may, me } = useSessionContext()
  const waits = call !== undefined && isWaiting(call)
  const delivery = useSessionState(state =>
    call === undefined ? undefined : state.deliveries[call.toolCallId]
  )
  const trouble = waits ? shortTrouble(delivery) : undefined
  const running = call?.claimedAt !== undefined && call.ranAt === undefined
  const now = useNow(running ? 1000 : 30_000)
  const open = expanded ?? (waits && call.kind === 'external')
  const input = call?.editedInput ?? call?.input ?? ('input' in part ? part.input : undefined)
  const setAlarm = call?.toolName === alarmTool ? setWords(call, now) : undefined
  const outcome = call === undefined ? 'writing arguments…' : outcomeOf(call, now)
  const waiting = waits
    ? !waitsForPerson(call)
      ? (trouble ?? (call.kind === 'agent' ? 'waiting for a sub-agent' : 'waiting for a reply'))
      : may.answer && whyNotAnswerable(call, me) === undefined
        ? 'waiting for you'
        : `waiting for ${answererPhrase(call) ?? me.approvers ?? 'an approver'}`
    : undefined
  return (
    <div data-hook="tool-call" data-tool={part.type.replace(/^tool-/, '')} data-state={call?.state}>
      <FoldLine rowKey={row.key} expanded={open} onToggle={onToggle}>
        <span className="shrink-0 font-mono text-mono">{part.type.replace(/^tool-/, '')}</span>
        <span className="min-w-12 flex-1 truncate text-muted empty:min-w-0">
          {setAlarm ?? salientArgument(input)}
        </span>
        <span
          {...(call?.kind === 'question' && call.state === 'answered'
            ? { 'data-hook': 'ask-question-answered' }
            : {})}
          className={clsx(
            'max-w-1/2 min-w-0 truncate',
            trouble !== undefined
              ? 'text-fail'
              : waits
                ? waitsForPerson(call)
                  ? 'text-you'
                  : 'text-other'
                : call?.state === 'failed'
                  ? 'text-fail'
                  : 'text-muted',
            isFresh(call?.settledAt, now) && call !== undefined && wentWell(call) && 'animate-settle'
          )}
        >
          {waiting ?? outcome}
        </span>
        {call === undefined ? null : (
          <span className="shrink-0 text-muted tabular-nums">{durationOf(call, now)}</span>
        )}
      </FoldLine>
      {open ? <ToolDetails part={part} call={call} /> : null}
    </div>
  )
}

/**
 * Returns true for a success. A settled request for a connection is one only if the account was connected.
 */
const wentWell = (call: Call): boolean =>
  call.state !== 'failed' && (call.kind !== 'connection' || isConnected(call))

/**
 * Returns true for 4 s after the call settled. The outcome has its own color then, which fades to the text
 * color.
 */
const isFresh = (settledAt: string | undefined, now: number | undefined) =>
  settledAt !== undefined && now !== undefined && now - Date.parse(settledAt) < 4000
