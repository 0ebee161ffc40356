import { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { scriptOf } from '@waystation/protocol/call/script.ts'
import { useState } from 'react'
import { useDraft } from '#components/browser/drafts.ts'
import { ScriptText } from '#components/session/content/script-text.tsx'
import { type ApproveProps, useSessionContext } from '#components/session/store/session-context.ts'
import { describeCall } from '#components/session/wording/describe-call.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Arguments } from './arguments.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { ChangedTool } from './changed-tool.tsx'
import { useDecline } from './decline.tsx'
import { EditArguments, EditScript } from './edit-call.tsx'
import { Stale } from './stale.tsx'
import type { WidgetProps } from './widget.ts'

type Draft = { mode: 'read' | 'edit'; json: string | null; reason: string }
const empty: Draft = { mode: 'read', json: null, reason: '' }

/**
 * Asks whether a call can run. The primary button names the action. The user can edit the arguments, or
 * decline with a reason.
 */
export function ApprovalWidget({ call, answer }: WidgetProps) {
  const { sessionId, memberParts: { Approve } = { Approve: ApproveOnce } } = useSessionContext()
  const [draft, write] = useDraft(sessionId, call.toolCallId, empty)
  // True after a click in this card, but not if a stored draft opened the editor.
  const [wanted, setWanted] = useState(false)
  const decline = useDecline({ draft, write, onDecline: given => answer({ approved: false, ...given }) })
  const { button, says } = describeCall(call)
  // The changes that an agent proposes to itself (002-3) or to a wiki (001-20). They are part of the call.
  const { data: comparison } = Comparison.safeParse(call.render)
  const ofAgent = call.render?.kind === 'config-diff'
  const script = scriptOf(call.toolName, call.input)
  // Without a change, a reload shows the request as it was.
  if (draft.mode === 'edit' && (draft.json ?? wanted)) {
    const editor = {
      act: button,
      edited: draft.json,
      wanted,
      onEdit: (json: string) => write({ json }),
      onApprove: (input: unknown) => answer({ approved: true, input }),
      onBack: () => write({ mode: 'read' }),
      onUndo: () => write({ mode: 'read', json: null })
    }
    return script === undefined ? (
      <EditArguments {...editor} call={call} proposal={ofAgent} />
    ) : (
      <EditScript {...editor} written={script} />
    )
  }
  const edit = () => {
    setWanted(true)
    write({ mode: 'edit' })
  }
  return (
    <div data-hook="approval" className="contents">
      {comparison === undefined ? (
        <>
          <ChangedTool call={call} />
          {script === undefined ? (
            <Arguments input={call.input} said={says} />
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
          <DiffList
            changes={comparison.changes}
            {...(ofAgent && { widens: comparison.widens })}
            of="the proposal"
          />
        </>
      )}
      {decline.form ?? (
        <Buttons>
          <Approve
            call={call}
            label={button}
            onApprove={remembered => answer({ approved: true, ...remembered })}
          />
          {call.where === 'asker' && call.render?.editable !== true ? null : (
            <Button data-hook="edit-call" onClick={edit}>
              {draft.json === null ? 'Edit' : 'Edit draft'}
            </Button>
          )}
          {decline.button}
        </Buttons>
      )}
    </div>
  )
}

const ApproveOnce = ({ label, onApprove }: ApproveProps) => (
  <Primary data-hook="approve-call" onClick={() => onApprove({})}>
    {label}
  </Primary>
)
