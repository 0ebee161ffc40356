import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Outcome, type Said } from './outcome.tsx'

/** The end of a settings form: `children`, the button that saves, and the result. */
export function SaveLine({
  act,
  disabled,
  said,
  children
}: {
  act: string
  disabled: boolean
  said: Said
  children?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      {children}
      <Button type="submit" tone="primary" disabled={disabled} data-hook="save">
        {act}
      </Button>
      <Outcome said={said} />
    </div>
  )
}
