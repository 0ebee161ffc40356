'use client'
import { Comparison } from '@waystation/protocol/agent/comparison.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { scriptOf } from '@waystation/protocol/call/script.ts'
import { useState } from 'react'
import { useDraft } from '#components/browser/drafts.ts'
import { ScriptText } from '#components/session/content/script-text.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { describeCall } from '#components/session/wording/describe-call.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Arguments } from './arguments.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { ChangedTool } from './changed-tool.tsx'
import { Decline, withReason } from './decline.tsx'
import { EditArguments } from './edit-arguments.tsx'
import { EditScript } from './edit-script.tsx'
import { Remember, type Remembered } from './remember.tsx'
import { Stale } from './stale.tsx'
import type { WidgetProps } from './widget.ts'

type Draft = { mode: 'read' | 'edit' | 'decline'; json: string | null; reason: string }
const empty: Draft = { mode: 'read', json: null, reason: '' }

/**
 * Asks whether a call can run. The primary button names the action. The user can edit the arguments, or
 * decline with a reason.
 */
export function ApprovalWidget({ call, answer, place }: WidgetProps) {
  const { sessionId } = useSessionContext()
  // Not part of the draft, so that the user chooses again each time the card opens.
  const [remembered, setRemembered] = useState<Remembered>({})
  const [draft, write] = useDraft(sessionId, call.toolCallId, empty)
  // True after a click in this card, but not if a stored draft opened this mode.
  const [wanted, setWanted] = useState(false)
  const act = describeCall(call)
  const turnTo = (mode: Draft['mode']) => {
    setWanted(true)
    write({ mode })
  }
  const comparison = comparisonOf(call)
  const script = scriptOf(call.toolName, call.input)
  if (draft.mode === 'decline')
    return (
      <Decline
        place={place}
        reason={draft.reason}
        onReason={reason => write({ reason })}
        onDecline={() => answer({ approved: false, ...withReason(draft.reason) })}
        onBack={() => write({ mode: 'read' })}
        wanted={wanted}
      />
    )
  if (draft.mode === 'edit' && script !== undefined)
    return (
      <EditScript
        place={place}
        act={act.button}
        written={script.script}
        text={draft.json ?? script.script}
        wanted={wanted}
        onText={json => write({ json })}
        onApprove={text => answer({ approved: true, input: { ...script, script: text } })}
        onBack={() => write({ mode: 'read' })}
        onUndo={() => write({ mode: 'read', json: null })}
      />
    )
  if (draft.mode === 'edit')
    return (
      <EditArguments
        call={call}
        place={place}
        act={act.button}
        json={draft.json ?? JSON.stringify(call.input, null, 2)}
        proposal={comparison !== undefined}
        wanted={wanted}
        onJson={json => write({ json })}
        onApprove={input => answer({ approved: true, input })}
        onBack={() => write({ mode: 'read' })}
        onUndo={() => write({ mode: 'read', json: null })}
      />
    )
  return (
    <div data-hook="approval" className="contents">
      {comparison === undefined ? (
        <>
          <ChangedTool call={call} />
          {script === undefined ? (
            <Arguments input={call.input} />
          ) : (
            <ScriptText
              label={`Script, runs for up to ${script.timeoutSeconds ?? 30} s`}
              script={script.script}
            />
          )}
        </>
      ) : (
        <>
          <Stale call={call} />
          <DiffList {...comparison} of="the proposal" />
        </>
      )}
      <Remember call={call} value={remembered} onChange={setRemembered} />
      <Buttons place={place}>
        <Primary onClick={() => answer({ approved: true, ...remembered })} data-hook="approve-call">
          {act.button}
        </Primary>
        <Button data-hook="edit-call" onClick={() => turnTo('edit')}>
          Edit…
        </Button>
        <Button onClick={() => turnTo('decline')} data-hook="decline-call">
          Decline…
        </Button>
      </Buttons>
    </div>
  )
}

/** Returns the changes that an agent proposes to itself (002-3). They are part of the call. */
function comparisonOf({ render }: Call): Comparison | undefined {
  if (render?.kind !== 'config-diff') return undefined
  const shown = Comparison.safeParse(render)
  return shown.success ? shown.data : undefined
}
