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
        place === 'page' && 'card-buttons-page',
        place === 'sheet' && 'card-buttons-sheet'
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
