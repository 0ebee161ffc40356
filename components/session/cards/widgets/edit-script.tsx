'use client'
import { Button } from '#components/ui/button.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

type EditScriptProps = {
  place: WidgetProps['place']
  act: string
  /** The script as the agent wrote it, and with the user's edits. */
  written: string
  text: string
  wanted: boolean
  onText: (text: string) => void
  onApprove: (script: string) => void
  /** Leaves the editor. The edits stay in the draft. */
  onBack: () => void
  /** Leaves the editor and discards the edits. */
  onUndo: () => void
}

/** Edits the script of a call before the user approves it, as the plain text that runs. */
export function EditScript({
  place,
  act,
  written,
  text,
  wanted,
  onText,
  onApprove,
  onBack,
  onUndo
}: EditScriptProps) {
  return (
    <>
      <TextArea
        mono
        label="Script. The agent sees that you changed it."
        value={text}
        onChange={onText}
        problem={text.trim() === '' ? 'The script is empty. Write a script or decline the call.' : undefined}
        spellCheck={false}
        dir="ltr"
        wanted={wanted}
        onEscape={onBack}
      />
      <Buttons place={place}>
        <Primary
          data-hook="approve-edited"
          disabled={text === written || text.trim() === ''}
          onClick={() => onApprove(text)}
        >
          {act} (edited)
        </Primary>
        <Button data-hook="undo-edits" tone="quiet" onClick={onUndo}>
          Discard edits
        </Button>
      </Buttons>
    </>
  )
}
