'use client'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { singleKeys, useSingleKeys } from './use-keys.ts'

const keys = [
  ['⌘ ↵', "Send the message, or give a card's main answer"],
  ['/', 'Go to the message field'],
  ['w', 'Go to the next pending request'],
  ['j k', 'Move through the transcript'],
  ['↵', 'Open or close a row'],
  ['i', 'Open or close the inspector'],
  ['t', 'Open or close the timeline'],
  ['⌘ .', 'Stop the turn'],
  ['Esc', 'Close the topmost dialog or panel; never stops or declines'],
  ['?', 'Show this list']
] as const

/** Every key, and the switch for the single letters (WCAG 2.1.4). ⌘ is Ctrl where there is no ⌘. */
export function KeysSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const single = useSingleKeys()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="No single key approves anything. On Windows and Linux, press Ctrl instead of ⌘."
    >
      <dl className="grid grid-cols-[72px_1fr] gap-y-1 pt-2">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-mono">{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2 pt-4">
        <input
          type="checkbox"
          checked={single}
          onChange={event => singleKeys.set(event.target.checked)}
          className="accent-ink"
        />
        Single-key shortcuts
      </label>
      <div className="pt-2">
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </div>
    </Dialog>
  )
}
