import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useContext } from 'react'
import { Button } from '#components/ui/button.tsx'
import { CardPlaceContext } from './widget.ts'

/**
 * The buttons of a card, from left to right: primary, edit, decline. In a sheet, in the dock and on a phone, they
 * stay at the bottom edge.
 */
export function Buttons({ children }: { children: ReactNode }) {
  const place = useContext(CardPlaceContext)
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-2',
        // Leaves space for the dock's focus outline, which is 2 px inside its edge. Covers the outline of a field behind it.
        place === 'dock' && 'sticky bottom-0.5 -mx-1 -mt-1 -mb-2.5 bg-you-tint px-1 pt-1 pb-2.5',
        place === 'page' &&
          'max-mid:sticky max-mid:bottom-0 max-mid:-mx-4 max-mid:-mb-3 max-mid:border-t max-mid:bg-you-tint max-mid:px-4 max-mid:py-3',
        (place === 'page' || place === 'sheet') && 'max-mid:*:grow max-mid:*:first:basis-full',
        place === 'sheet' &&
          'sticky bottom-0 mt-auto -mx-5 border-t bg-you-tint px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]'
      )}
    >
      {children}
    </div>
  )
}

/** The primary button, which ⌘/Ctrl ↵ presses. Its label names the action. */
export const Primary = (props: ComponentProps<typeof Button>) => (
  <Button tone="primary" data-primary {...props} />
)
