import type { Call } from '@waystation/protocol/call/call.ts'
import type { ScriptInput } from '@waystation/protocol/call/script.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { type ReactNode, useState } from 'react'
import { parseJson } from '#components/browser/parse-json.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { Leavable, leaveForm } from './leave.tsx'
import { useReview } from './use-review.ts'

type EditProps = {
  /** The label of the primary button: "Publish version". */
  act: string
  /** The edited text. Null before the first edit. */
  edited: string | null
  wanted: boolean
  onEdit: (text: string) => void
  onApprove: (input: unknown) => void
  /** Leaves the editor. The edits stay in the draft. */
  onBack: () => void
  /** Leaves the editor and discards the edits. */
  onUndo: () => void
}

/** `proposal` is true for a proposal of an agent for itself. The user must see its changes before publishing it. */
type EditArgumentsProps = EditProps & { call: Call; proposal: boolean }

/** Edits the arguments of a call before the user approves it: each in a field, or all of them as JSON. */
export function EditArguments({ call, proposal, onApprove, ...props }: EditArgumentsProps) {
  const { memberParts: { ArgumentFields } = {} } = useSessionContext()
  const [asJson, setAsJson] = useState(false)
  const { input } = call
  const json = props.edited ?? JSON.stringify(input, null, 2)
  const parsed = parseJson(json)
  const values = !asJson && !proposal && parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
  // The button is enabled only after an edit, so that a second click on "Edit" does not approve the call.
  const isEdited = parsed.ok && JSON.stringify(parsed.value) !== JSON.stringify(input)
  const review = useReview(call.toolCallId, proposal && isEdited ? parsed.value : undefined)
  const fields = ArgumentFields &&
    values &&
    isJsonObject(input) &&
    Object.values(input).some(argumentKind) && (
      <ArgumentFields
        written={input}
        values={values}
        wanted={props.wanted}
        onChange={value => props.onEdit(JSON.stringify(value, null, 2))}
      />
    )
  return (
    <Editor
      {...props}
      isEdited={props.edited !== null && (!parsed.ok || isEdited)}
      disabled={!isEdited || (proposal && review?.comparison === undefined)}
      onApprove={() => parsed.ok && onApprove(parsed.value)}
      more={
        fields ? (
          <Button data-hook="edit-json" tone="quiet" onClick={() => setAsJson(true)}>
            Edit as JSON
          </Button>
        ) : undefined
      }
    >
      {fields || (
        <TextArea
          mono
          label="Arguments (JSON)"
          value={json}
          onChange={props.onEdit}
          problem={parsed.ok ? review?.fault : problemOf(json, parsed.line)}
          spellCheck={false}
          wanted={props.wanted || asJson}
        />
      )}
      {review?.comparison === undefined ? null : <DiffList {...review.comparison} of="your edits" />}
    </Editor>
  )
}

/** Returns how a field can edit a value. A list has texts of one line. Undefined if only JSON can. */
export const argumentKind = (value: unknown) =>
  Array.isArray(value)
    ? value.length > 0 && value.every(text => typeof text === 'string' && /^.+$/.test(text))
      ? 'list'
      : undefined
    : /string|number|boolean/.exec(typeof value)?.[0]

function problemOf(json: string, line: number | undefined): string {
  if (json.trim() === '') return 'Enter the arguments as JSON.'
  return `Invalid JSON${line === undefined ? '' : ` on line ${line}`}.`
}

/** Edits the script of a call before the user approves it, as the plain text that runs. */
export function EditScript({ written, onApprove, ...props }: EditProps & { written: ScriptInput }) {
  const text = props.edited ?? written.script
  const isEmpty = text.trim() === ''
  return (
    <Editor
      {...props}
      isEdited={text !== written.script}
      disabled={text === written.script || isEmpty}
      onApprove={() => onApprove({ ...written, script: text })}
    >
      <TextArea
        mono
        label="Script"
        dir="ltr"
        value={text}
        onChange={props.onEdit}
        problem={isEmpty ? 'The script is empty. Write a script or decline the call.' : undefined}
        spellCheck={false}
        wanted={props.wanted}
      />
    </Editor>
  )
}

type EditorProps = Pick<EditProps, 'act' | 'onBack' | 'onUndo'> & {
  isEdited: boolean
  /** Disables the primary button. */
  disabled: boolean
  onApprove: () => void
  more?: ReactNode
  children: ReactNode
}

function Editor({ act, isEdited, disabled, onApprove, onBack, onUndo, more, children }: EditorProps) {
  return (
    <Leavable opener="edit-call" onLeave={onBack}>
      {children}
      <Buttons>
        <Primary data-hook="approve-edited" disabled={disabled} onClick={onApprove}>
          {act} with changes
        </Primary>
        <Button
          data-hook="undo-edits"
          onClick={({ currentTarget }) => leaveForm(currentTarget, 'edit-call', onUndo)}
        >
          {isEdited ? 'Discard changes' : 'Back'}
        </Button>
        {more}
      </Buttons>
    </Leavable>
  )
}
