'use client'
import type { RenderedTiddler } from '@waystation/protocol/wiki/wiki.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Time } from '#components/ui/time.tsx'
import { TiddlerText } from './tiddler-text.tsx'

/** Shows a tiddler, rendered or as source text. */
export function TiddlerView({ rendered: { tiddler, html, problem } }: { rendered: RenderedTiddler }) {
  const [source, setSource] = useState(false)
  const asWritten = source || html === null
  const article = useRef<HTMLElement>(null)
  // The user can select a tiddler far down in the list, while its text starts at the top of the page.
  useEffect(() => {
    article.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <article ref={article} aria-label={tiddler.title} className="min-w-0 max-w-(--measure)">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="min-w-0 flex-1 text-title font-semibold [overflow-wrap:anywhere]">{tiddler.title}</h2>
        {html === null ? null : (
          <Button
            data-hook="show-source"
            tone="quiet"
            aria-pressed={source}
            onClick={() => setSource(!source)}
          >
            Show source
          </Button>
        )}
      </div>
      <p className="pb-4 text-muted [overflow-wrap:anywhere]">
        {tiddler.modified === undefined ? null : (
          <>
            changed <Time at={tiddler.modified} short />
          </>
        )}
        {tiddler.modified !== undefined && tiddler.tags.length > 0 ? ' · ' : ''}
        {tiddler.tags.join(', ')}
      </p>
      {problem === undefined ? null : (
        <p role="status" className="pb-4 text-fail">
          {problem}
        </p>
      )}
      {asWritten ? (
        <ScrollBox label="Source">
          <pre className="p-2 font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
            {tiddler.text}
          </pre>
        </ScrollBox>
      ) : (
        <TiddlerText html={html} />
      )}
    </article>
  )
}
