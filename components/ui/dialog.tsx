import { type ReactNode, useId } from 'react'
import { Modal } from './modal.tsx'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Gives two columns room. */
  wide?: boolean
  title: string
  /** Shown below the title. For an irreversible action, it says what will be lost. */
  description?: ReactNode
  children: ReactNode
}

/** A dialog in the middle of the page. Esc or a click outside closes it, and does nothing else. */
export function Dialog({ open, onOpenChange, wide, title, description, children }: DialogProps) {
  const id = useId()
  if (!open) return null
  return (
    <Modal
      onClose={() => onOpenChange(false)}
      labelledBy={id}
      describedBy={description === undefined ? undefined : `${id}-description`}
      className={`m-auto rounded-sm ${wide ? 'w-[min(880px,calc(100vw-40px))]' : 'w-[min(520px,calc(100vw-40px))]'}`}
    >
      <div className="flex max-h-[90dvh] flex-col gap-2 overflow-y-auto p-6">
        <h2 id={id} className="text-title font-semibold [overflow-wrap:anywhere]">
          {title}
        </h2>
        {description === undefined ? null : (
          <div id={`${id}-description`} className="text-ui text-muted">
            {description}
          </div>
        )}
        {children}
      </div>
    </Modal>
  )
}

/** The buttons of a dialog. They stay visible at its lower edge if the dialog is higher than the page. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="sticky -bottom-6 -mx-6 mt-2 -mb-6 flex flex-wrap gap-2 border-t bg-raised px-6 pt-3 pb-6">
    {children}
  </div>
)
