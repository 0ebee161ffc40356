import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'

/** The buttons of a card, from left to right: primary, edit, decline. The style sheet keeps them at the card's lower edge. */
export const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="card-buttons">{children}</div>
)

/** The primary button, which ⌘/Ctrl ↵ presses. Its label names the action. */
export const Primary = (props: ComponentProps<typeof Button>) => (
  <Button tone="primary" data-primary {...props} />
)
