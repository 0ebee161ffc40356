import { useRef } from 'react'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { Button } from '#components/ui/button.tsx'
import { Outcome, type Said } from '#components/ui/outcome.tsx'

export type SaveBarProps = {
  isChanged: boolean
  /** True if the unsaved values are from an earlier visit of the page. */
  isRestored: boolean
  /** True while the form cannot be saved, for example because it is being saved. */
  disabled: boolean
  said: Said
  onDiscard: () => void
}

/**
 * The end of a form: the result of the last save, and while values are unsaved, a bar at the lower edge of the page
 * that saves or discards them.
 */
export function SaveBar({ isChanged, isRestored, disabled, said, onDiscard }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  // The buttons disappear with the focus.
  useEffectOnChange([isChanged], () => {
    if (!isChanged && document.activeElement === document.body) bar.current?.focus()
  })
  return (
    <div
      ref={bar}
      tabIndex={-1}
      data-hook={isChanged ? 'save-bar' : undefined}
      data-restored={isChanged && isRestored}
      className={
        isChanged
          ? 'sticky bottom-4 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-sm border border-rail bg-panel py-2 pr-2 pl-4'
          : 'outline-none'
      }
    >
      {isChanged ? (
        <p className="font-semibold">{isRestored ? 'Unsaved changes restored' : 'Unsaved changes'}</p>
      ) : null}
      <div className="min-w-0 flex-1">
        <Outcome said={said} />
      </div>
      {isChanged ? (
        <span className="flex gap-2">
          <Button data-hook="discard" onClick={onDiscard}>
            Discard
          </Button>
          <Button type="submit" tone="primary" disabled={disabled} data-hook="save">
            Save changes
          </Button>
        </span>
      ) : null}
    </div>
  )
}
