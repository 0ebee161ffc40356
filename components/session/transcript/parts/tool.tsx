import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { alarmTool } from '@waystation/protocol/call/tool-names.ts'
import { clsx } from 'clsx'
import { useNow } from '#components/browser/use-now.ts'
import { ConnectEnding } from '#components/session/cards/connect-ending.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { setWords } from '#components/session/wording/alarm-words.ts'
import { durationOf, failedStatusOf, needOf, outcomeOf } from '#components/session/wording/call-words.ts'
import { isConnected, lacksAccount } from '#components/session/wording/connect-words.ts'
import { shortTrouble } from '#components/session/wording/delivery-words.ts'
import { salientArgument } from '#components/session/wording/describe-call.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { FoldLine } from './fold.tsx'
import type { RowProps } from './row-props.ts'
import { ToolDetails } from './tool-details.tsx'

/**
 * A tool call in one line: name, main argument, outcome and duration. It opens to arguments, result and who
 * answered. A pending call of an external system is open by default, because users need its answer link. A request for
 * an account that failed shows a retry button even when closed (002-12).
 */
export function ToolRow({ row, expanded, onToggle }: RowProps<'tool'>) {
  const { part, call } = row
  const name = part.type.replace(/^tool-/, '')
  const { may, me } = useSessionContext()
  const waits = call !== undefined && isWaiting(call)
  const delivery = useSessionState(state => state.deliveries[part.toolCallId])
  const trouble = waits ? shortTrouble(delivery) : undefined
  const running = call?.claimedAt !== undefined && call.ranAt === undefined
  const now = useNow(running ? 1000 : 30_000)
  const open = expanded ?? (waits && call.kind === 'external')
  const input = call?.editedInput ?? call?.input ?? ('input' in part ? part.input : undefined)
  const setAlarm = call?.toolName === alarmTool ? setWords(call, now) : undefined
  const outcome = call === undefined ? 'writing arguments…' : outcomeOf(call, now)
  const warned = call !== undefined && failedStatusOf(call) !== undefined
  const waiting = waits
    ? !waitsForPerson(call)
      ? (trouble ?? (call.kind === 'agent' ? 'waiting for a sub-agent' : 'waiting for a reply'))
      : may.answer && whyNotAnswerable(call, me) === undefined
        ? needOf(call)
        : `waiting for ${answererPhrase(call) ?? me.approvers ?? 'an approver'}`
    : undefined
  return (
    <div data-hook="tool-call" data-tool={name} data-state={call?.state}>
      <FoldLine row={row} expanded={open} onToggle={onToggle}>
        <span className="shrink-0 font-mono text-mono">{name}</span>
        <CutText text={setAlarm ?? salientArgument(input)} className="flex-1 text-muted" />
        <span
          data-hook={
            call?.kind === 'question' && call.state === 'answered' ? 'ask-question-answered' : undefined
          }
          className={clsx(
            'max-w-1/2 min-w-0 truncate',
            trouble !== undefined || call?.state === 'failed' || warned
              ? 'text-fail'
              : !waits
                ? 'text-muted'
                : waitsForPerson(call)
                  ? 'text-you'
                  : 'text-other',
            call !== undefined && !warned && justSucceeded(call, now) && 'animate-settle'
          )}
        >
          {waiting ?? outcome}
        </span>
        {call === undefined ? null : (
          <span className="shrink-0 text-muted tabular-nums">{durationOf(call, now)}</span>
        )}
      </FoldLine>
      {open ? (
        <ToolDetails part={part} call={call} />
      ) : may.answer && call !== undefined && lacksAccount(call) ? (
        <div className="pb-2">
          <ConnectEnding call={call} />
        </div>
      ) : null}
    </div>
  )
}

/**
 * Returns true for 4 s after the call succeeded. The outcome has its own color then, which fades to the text
 * color. A request for a connection succeeds only if the account was connected.
 */
function justSucceeded(call: Call, now: number | undefined): boolean {
  if (call.settledAt === undefined || now === undefined || now - Date.parse(call.settledAt) >= 4000)
    return false
  return call.state !== 'failed' && (call.kind !== 'connection' || isConnected(call))
}
