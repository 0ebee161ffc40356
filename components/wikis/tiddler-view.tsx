import type { RenderedTiddler } from '@waystation/protocol/wiki/wiki.ts'
import { clsx } from 'clsx'
import { useRouter } from 'next/navigation'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { kerningOf } from '#components/ui/long-words.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Time } from '#components/ui/time.tsx'

/** Shows a page of a wiki, rendered or as source text. */
export function TiddlerView({ rendered: { tiddler, html, problem } }: { rendered: RenderedTiddler }) {
  const [source, setSource] = useState(false)
  const asWritten = source || html === null
  const article = useRef<HTMLElement>(null)
  // The page before it can have been scrolled down.
  useEffect(() => {
    article.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <article ref={article} aria-label={tiddler.title} className="min-w-0 max-w-(--measure) scroll-mt-16">
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

/** Shows the rendered HTML of a tiddler. Links to other tiddlers work without reloading the page. */
function TiddlerText({ html }: { html: string }) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-tiddler]') : null
    const href = link?.getAttribute('href')
    if (!href || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    router.push(href)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside receive the focus and the keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link also sends a click
    <div
      onClick={follow}
      className={clsx(
        'wikitext prose overflow-x-auto font-serif text-agent [overflow-wrap:anywhere]',
        kerningOf(html)
      )}
      // The server sanitizes this HTML (packages/tiddlywiki/src/clean-html.ts).
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is sanitized
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
