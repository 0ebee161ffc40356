import { safeUrl } from '#components/session/content/safe-link.tsx'
import type { RowProps } from './row-props.ts'

/** A page that the agent cites as a source. */
export function SourceRow({ row: { part } }: RowProps<'source'>) {
  const url = safeUrl(part.url)
  const name = part.title ?? part.url
  return (
    <p className="truncate text-muted">
      Source{' '}
      {url === undefined ? (
        name
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="text-ink">
          {name}
        </a>
      )}
    </p>
  )
}
