import { Prose } from '#components/session/content/markdown.tsx'
import type { RowProps } from './row-props.ts'

export function ProseRow({ row }: RowProps<'prose'>) {
  return (
    <div data-hook="message-bubble" data-role="assistant">
      <Prose text={row.part.text} streaming={row.part.state === 'streaming'} />
    </div>
  )
}
