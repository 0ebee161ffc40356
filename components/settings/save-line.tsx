import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import type { Said } from './use-put-workspace.ts'

/** The end of a form that saves a setting: its button, whatever stands before that, and what came of it. */
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
      <p
        role="status"
        data-hook="outcome"
        data-outcome={said.text === '' ? undefined : said.failed ? 'failed' : 'saved'}
        className={said.failed ? 'text-fail' : 'text-muted'}
      >
        {said.text}
      </p>
    </div>
  )
}
