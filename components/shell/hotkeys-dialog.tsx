import { useRegisteredHotkeys } from '#components/browser/hotkeys.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { keySymbols } from './key-symbols.ts'

/** Lists the keyboard shortcuts of the page below the dialog. */
export function HotkeysDialog({ close }: { close: () => void }) {
  const groups = useRegisteredHotkeys().filter(({ hotkeys }) => hotkeys.length > 0)
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Keyboard shortcuts"
      description="These work on this page. You can turn off single-key shortcuts in Settings. No single key approves anything."
    >
      {groups.map(({ group, hotkeys }) => (
        <section key={group} aria-label={group} className="mt-2">
          <h3 className="font-semibold">{group}</h3>
          <dl className="mt-1 grid grid-cols-[104px_1fr] gap-x-6 gap-y-1">
            {hotkeys.map(({ keys, label }) => (
              <div key={`${keys} ${label}`} data-hotkey={keys} className="contents">
                <dt className="font-mono text-mono">{keySymbols(keys)}</dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <DialogButtons>
        <Button onClick={close}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
