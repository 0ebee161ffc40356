'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { Button } from '#components/ui/button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { parseJson } from './parse-json.ts'
import { useReview } from './use-review.ts'
import type { WidgetProps } from './widget.ts'

type EditArgumentsProps = {
  call: Call
  place: WidgetProps['place']
  /** What the primary button does: "Publish revision". */
  act: string
  json: string
  /** It is a proposal of an agent for itself: nobody publishes what they were not shown. */
  proposal: boolean
  wanted: boolean
  onJson: (json: string) => void
  onApprove: (input: unknown) => void
  onUndo: () => void
}

/** The arguments of a call that asks whether it may run, to be edited first. */
export function EditArguments(props: EditArgumentsProps) {
  const { call, json, proposal } = props
  const parsed = parseJson(json)
  // Until it is edited nothing is there to say yes to: the other yes stands one click back, and a second click on Edit… is none.
  const isEdited = parsed.ok && JSON.stringify(parsed.value) !== JSON.stringify(call.input)
  const review = useReview(call.toolCallId, proposal && isEdited ? parsed.value : undefined)
  return (
    <>
      <TextArea
        mono
        label="Arguments (JSON). The agent sees that you changed them."
        value={json}
        onChange={props.onJson}
        problem={parsed.ok ? review?.fault : parsed.problem}
        spellCheck={false}
        wanted={props.wanted}
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
