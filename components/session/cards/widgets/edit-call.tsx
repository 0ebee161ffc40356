import type { Call } from '@waystation/protocol/call/call.ts'
import type { ScriptInput } from '@waystation/protocol/call/script.ts'
import type { ReactNode } from 'react'
import { parseJson } from '#components/browser/parse-json.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { useReview } from './use-review.ts'

type EditProps = {
  /** The label of the primary button: "Publish revision". */
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

/** Edits the arguments of a call before the user approves it. */
export function EditArguments({ call, proposal, onApprove, ...props }: EditArgumentsProps) {
  const json = props.edited ?? JSON.stringify(call.input, null, 2)
  const parsed = parseJson(json)
  // The button is enabled only after an edit, so that a second click on "Edit…" does not approve the call.
  const isEdited = parsed.ok && JSON.stringify(parsed.value) !== JSON.stringify(call.input)
  const review = useReview(call.toolCallId, proposal && isEdited ? parsed.value : undefined)
  return (
    <Editor
      {...props}
      label="Arguments (JSON). The agent sees that you changed them."
      text={json}
      problem={parsed.ok ? review?.fault : problemOf(json, parsed.line)}
      disabled={!isEdited || (proposal && review?.comparison === undefined)}
      onApprove={() => parsed.ok && onApprove(parsed.value)}
    >
      {review?.comparison === undefined ? null : <DiffList {...review.comparison} of="your edits" />}
    </Editor>
  )
}

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
      label="Script. The agent sees that you changed it."
      dir="ltr"
      text={text}
      problem={isEmpty ? 'The script is empty. Write a script or decline the call.' : undefined}
      disabled={text === written.script || isEmpty}
      onApprove={() => onApprove({ ...written, script: text })}
    />
  )
}

type EditorProps = Omit<EditProps, 'edited' | 'onApprove'> & {
  label: string
  text: string
  dir?: 'ltr'
  problem: string | undefined
  /** Disables the primary button. */
  disabled: boolean
  onApprove: () => void
  children?: ReactNode
}

function Editor(props: EditorProps) {
  return (
    <>
      <TextArea
        mono
        label={props.label}
        value={props.text}
        onChange={props.onEdit}
        problem={props.problem}
        spellCheck={false}
        dir={props.dir}
        wanted={props.wanted}
        onEscape={props.onBack}
      />
      {props.children}
      <Buttons>
        <Primary data-hook="approve-edited" disabled={props.disabled} onClick={props.onApprove}>
          {props.act} (edited)
        </Primary>
        <Button data-hook="undo-edits" tone="quiet" onClick={props.onUndo}>
          Discard edits
        </Button>
      </Buttons>
    </>
  )
}
