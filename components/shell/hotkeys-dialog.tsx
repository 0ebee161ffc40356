'use client'
import { Dialog } from '#components/ui/dialog.tsx'

const keys: ReadonlyArray<[keys: string, does: string]> = [
  ['⌘ K', 'Find a session, agent or action'],
  ['n', 'Start a session'],
  ['w', 'Go to the next pending request, in any session'],
  ['Alt ↑ ↓', 'Go to the previous or next session'],
  ['⌘ ↵', "Send the message, or give a card's main answer"],
  ['/', 'Go to the message field'],
  ['j k', 'Move through the transcript or pending requests; ↵ opens a row'],
  ['i', 'Open or close the inspector'],
  ['t', 'Open or close the timeline'],
  ['⌘ .', 'Stop the turn'],
  ['Esc', 'Close the topmost dialog or panel; never stops or declines'],
  ['?', 'Show this list']
]

/** Lists all keyboard shortcuts. On keyboards that are not Apple's, ⌘ is Ctrl. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="On Windows and Linux, press Ctrl instead of ⌘. You can turn off single-key shortcuts in Settings. No single key approves anything."
    >
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-mono">{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
