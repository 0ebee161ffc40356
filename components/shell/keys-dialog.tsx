'use client'
import { Dialog } from '#components/ui/dialog.tsx'

const keys: ReadonlyArray<[keys: string, does: string]> = [
  ['⌘ K', 'Find a session, an agent or an action'],
  ['n', 'New session'],
  ['w', 'Next thing that waits for you, in any session'],
  ['Alt ↑ ↓', 'Session above, below'],
  ['⌘ ↵', 'Send; in a card, its main answer'],
  ['/', 'To the message field'],
  ['j k', 'Through the transcript, or through what waits; ↵ opens a row'],
  ['i', 'Inspector'],
  ['t', 'Timeline'],
  ['⌘ .', 'Stop'],
  ['Esc', 'Closes the topmost thing; never stops or declines'],
  ['?', 'These keys']
]

/** Every key there is. On other keyboards than Apple's, ⌘ is Ctrl. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keys"
      description="⌘ is Ctrl on other keyboards. Single letters can be switched off in Settings. No single key approves anything."
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
