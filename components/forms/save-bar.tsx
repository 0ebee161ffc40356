import { clsx } from 'clsx'
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
 * The end of a form: a bar at the lower edge of the page. It saves or discards unsaved values, and shows the result. The
 * page has a place for it (`SettingsFrame`), so that nothing moves when it appears.
 */
export function SaveBar({ isChanged, isRestored, disabled, said, onDiscard }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  // The buttons disappear with the focus.
  useEffectOnChange([isChanged], () => {
    if (!isChanged && document.activeElement === document.body) bar.current?.focus()
  })
  const { text } = said
  return (
    <div
      ref={bar}
      tabIndex={-1}
      data-hook={isChanged ? 'save-bar' : undefined}
      data-restored={isChanged && isRestored}
      className={clsx(
        'absolute inset-x-0 bottom-0 z-10 outline-none',
        (isChanged || text !== '') && 'border-t bg-panel'
      )}
    >
      <div className="mx-auto max-w-[1184px] px-5 mid:px-8">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 split:pl-[208px]">
          <div className="py-3">
            {isChanged ? (
              <p className="font-semibold">{isRestored ? 'Unsaved changes restored' : 'Unsaved changes'}</p>
            ) : null}
            <Outcome said={said} />
          </div>
          {isChanged ? (
            <span className="flex gap-2 py-1.5">
              <Button data-hook="discard" onClick={onDiscard}>
                Discard
              </Button>
              <Button type="submit" tone="primary" disabled={disabled} data-hook="save">
                Save changes
              </Button>
            </span>
          ) : null}
        </div>
      </div>
    </div>
  )
}
