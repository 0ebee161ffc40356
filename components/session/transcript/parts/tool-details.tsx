import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { scriptOf } from '@waystation/protocol/call/script.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { ToolPart } from '@waystation/protocol/session/message.ts'
import { useEffect, useState } from 'react'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { CallCard } from '#components/session/cards/call-card.tsx'
import { CallInput } from '#components/session/cards/call-input.tsx'
import { ConnectEnding } from '#components/session/cards/connect-ending.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { byWords, expiredWords, isUnknown } from '#components/session/wording/call-words.ts'
import { capitalized } from '#components/session/wording/describe-call.ts'
import { Button } from '#components/ui/button.tsx'
import { Json } from '#components/ui/json.tsx'
import { ToolResult } from './tool-result.tsx'
import { Value } from './value.tsx'

/** The content of an open tool row: the card of a pending call, or the outcome and who answered. */
export function ToolDetails({ part, call }: { part: ToolPart; call: Call | undefined }) {
  if (call === undefined) return <Json label="Arguments so far" value={partial(part)} />
  if (isWaiting(call)) return <Pending call={call} />
  return (
    <div className="flex flex-col gap-2 pb-2">
      {call.kind === 'connection' && !isUnknown(call) ? (
        <ConnectEnding call={call} />
      ) : (
        <Ending call={call} />
      )}
      {call.editedInput === undefined ? (
        <Arguments call={call} />
      ) : (
        <>
          <div data-edition="edited">
            <CallInput call={call} input={call.editedInput} edition="as edited" />
          </div>
          <div data-edition="written">
            <CallInput call={call} input={call.input} edition="as written by the agent" />
          </div>
        </>
      )}
      {call.output === undefined ? null : <ToolResult call={call} />}
      {call.errorText === undefined || isUnknown(call) ? null : <Json label="Error" value={call.errorText} />}
    </div>
  )
}

/** A pending call: its arguments and the way to its card, or the card, if no dock shows it. */
function Pending({ call }: { call: Call }) {
  const { dock } = useSessionContext()
  const asks = waitsForPerson(call)
  const [docked, setDocked] = useState(asks)
  useEffect(() => setDocked(asks && dock.current !== null), [asks, dock])
  return (
    <div className="flex flex-col gap-2 pb-2">
      {docked ? (
        <>
          <Arguments call={call} />
          <div>
            <Button data-hook="to-card" tone="quiet" onClick={() => dock.current?.focus()}>
              Show request
            </Button>
          </div>
        </>
      ) : (
        <CallCard call={call} place="inline" />
      )}
    </div>
  )
}

/** The arguments of a call, if it has any. */
function Arguments({ call }: { call: Call }) {
  const { toolName, input } = call
  if (scriptOf(toolName, input) !== undefined) return <CallInput call={call} input={input} />
  return isJsonObject(input) && Object.keys(input).length === 0 ? null : (
    <Value label="Arguments" value={input} />
  )
}

const partial = (part: ToolPart) =>
  'rawInput' in part && typeof part.rawInput === 'string'
    ? part.rawInput
    : (('input' in part ? part.input : '') ?? '')

/** A sentence about how a call ended, with an action if the user can do something about it. */
function Ending({ call }: { call: Call }) {
  const { suggest } = useSessionContext()
  const now = useNow()
  if (call.state === 'expired' && now !== undefined)
    return (
      <p>
        {expiredWords(call, now)}{' '}
        <Button tone="quiet" onClick={() => suggest(`Please ask me again about ${call.toolName}.`)}>
          Ask again
        </Button>
      </p>
    )
  if (isUnknown(call))
    return (
      <p>
        <strong className="font-semibold">
          We can't tell whether <code className="font-mono text-mono">{call.toolName}</code> ran.
        </strong>{' '}
        The server stopped during the call and did not repeat it.{' '}
        <Button tone="quiet" onClick={() => suggest(`I checked ${call.toolName}: `)}>
          Report result
        </Button>
      </p>
    )
  if (call.answeredBy === undefined || call.kind === 'server') return null
  const via = call.via === undefined ? '' : ` via ${call.via}`
  const state = call.state === 'denied' ? 'declined' : call.state === 'cancelled' ? 'canceled' : call.state
  const at = call.settledAt === undefined || now === undefined ? '' : ` at ${clock(call.settledAt, now)}`
  return (
    <p className="text-muted">
      {capitalized(state)} by {byWords(call.answeredBy)}
      {at}
      {via}
      {call.reason === undefined ? '' : `: “${call.reason}”`}
    </p>
  )
}
