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
      wide
      title="Keyboard shortcuts"
      description="No single key approves anything. You can turn off single keys in Settings."
    >
      <div className="gap-x-8 mid:columns-2">
        {groups.map(({ group, hotkeys }) => (
          <section key={group} aria-label={group} className="break-inside-avoid pt-3">
            <h3 className="border-b pb-1 font-semibold">{group}</h3>
            <dl>
              {hotkeys.map(({ keys, label }) => (
                <div
                  key={`${keys} ${label}`}
                  data-hotkey={keys}
                  className="flex items-baseline justify-between gap-4 py-1"
                >
                  <dt className="order-last flex shrink-0 gap-1">
                    {keySymbols(keys)
                      .split(' ')
                      .map((key, at) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: the keys never change their order
                        <kbd key={at} className="rounded-sm border border-rail px-1.5 font-mono text-mono">
                          {key}
                        </kbd>
                      ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <DialogButtons>
        <Button onClick={close}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
