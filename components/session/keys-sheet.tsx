'use client'
import { Dialog } from '#components/ui/dialog.tsx'
import { singleKeys, useSingleKeys } from './use-keys.ts'

const keys = [
  ['⌘ ↵', 'send; in a card: its first button'],
  ['/', 'write a message'],
  ['w', 'next thing that waits for me'],
  ['j k', 'through the transcript'],
  ['↵', 'open or shut a row'],
  ['i', 'inspector'],
  ['t', 'timeline'],
  ['⌘ .', 'stop the agent'],
  ['Esc', 'close the topmost thing; never stops or declines'],
  ['?', 'this list']
] as const

/** Every key, and the switch for the single letters (WCAG 2.1.4). ⌘ is Ctrl where there is no ⌘. */
export function KeysSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const single = useSingleKeys()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard"
      description="No single key approves anything. On Windows and Linux ⌘ is Ctrl."
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
        Single letters are shortcuts
      </label>
    </Dialog>
  )
}
