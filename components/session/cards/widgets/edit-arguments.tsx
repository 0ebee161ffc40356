'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { parseJson } from '#components/browser/parse-json.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { useReview } from './use-review.ts'
import type { WidgetProps } from './widget.ts'

type EditArgumentsProps = {
  call: Call
  place: WidgetProps['place']
  /** The label of the primary button: "Publish revision". */
  act: string
  json: string
  /** True for a proposal of an agent for itself. The user must see its changes before publishing it. */
  proposal: boolean
  wanted: boolean
  onJson: (json: string) => void
  onApprove: (input: unknown) => void
  /** Leaves the editor. The edits stay in the draft. */
  onBack: () => void
  /** Leaves the editor and discards the edits. */
  onUndo: () => void
}

/** Edits the arguments of a call before the user approves it. */
export function EditArguments(props: EditArgumentsProps) {
  const { call, json, proposal } = props
  const parsed = parseJson(json)
  // The button is enabled only after an edit, so that a second click on "Edit…" does not approve the call.
  const isEdited = parsed.ok && JSON.stringify(parsed.value) !== JSON.stringify(call.input)
  const review = useReview(call.toolCallId, proposal && isEdited ? parsed.value : undefined)
  return (
    <>
      <TextArea
        mono
        label="Arguments (JSON). The agent sees that you changed them."
        value={json}
        onChange={props.onJson}
        problem={parsed.ok ? review?.fault : problemOf(json, parsed.line)}
        spellCheck={false}
        wanted={props.wanted}
        onEscape={props.onBack}
      />
      {review?.comparison === undefined ? null : <DiffList {...review.comparison} of="your edits" />}
      <Buttons place={props.place}>
        <Primary
          disabled={!isEdited || (proposal && review?.comparison === undefined)}
          onClick={() => parsed.ok && props.onApprove(parsed.value)}
        >
          {props.act} (edited)
        </Primary>
        <Button tone="quiet" onClick={props.onUndo}>
          Discard edits
        </Button>
      </Buttons>
    </>
  )
}

function problemOf(json: string, line: number | undefined): string {
  if (json.trim() === '') return 'Enter the arguments as JSON.'
  return `Invalid JSON${line === undefined ? '' : ` on line ${line}`}.`
}
