import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import { clsx } from 'clsx'
import { useState } from 'react'
import { errorText } from '#components/browser/error-text.ts'
import { forgetAfter, useRead } from '#components/browser/queries.tsx'
import { useThrottled } from '#components/browser/use-throttled.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { kerningOf } from '#components/ui/long-words.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'

type WikitextProps = {
  text: string
  /** True while more text is expected. The text is faded meanwhile. */
  streaming?: boolean
  label?: string
  /** The wiki in which the text is rendered. Absent: the only one that the agent can read, if any. */
  wiki?: string | undefined
  /** The title of the tiddler that the text belongs to. */
  title?: string | undefined
}

/**
 * Shows wikitext as HTML that the server rendered and sanitized (packages/tiddlywiki/src/clean-html.ts). A
 * button shows its source. Before it is rendered, or if this fails, the source is shown.
 */
export function Wikitext({ text, streaming = false, label = 'Wikitext', wiki, title }: WikitextProps) {
  const [source, setSource] = useState(false)
  const { html, problem } = useWikitext({ text, wiki, title }, streaming)
  const rendered = source ? null : html
  return (
    <section
      data-hook="wikitext-message"
      data-streaming={streaming || undefined}
      aria-label={label}
      aria-busy={streaming}
      className="rounded-sm border"
    >
      <div className="flex items-baseline gap-x-4 border-b px-2 py-1 font-sans text-ui text-muted">
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {html === null ? null : (
          <Button
            data-hook="show-source"
            tone="quiet"
            aria-pressed={source}
            onClick={() => setSource(!source)}
          >
            Source
          </Button>
        )}
        <CopyButton text={text} />
      </div>
      {problem === undefined ? null : (
        <p role="status" className="px-2 pt-1 font-sans text-ui text-muted">
          {problem}
        </p>
      )}
      <div className={streaming ? 'opacity-60' : ''}>
        {rendered === null ? (
          <ScrollBox label="Source" className="border-0">
            <pre className="p-2 font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
          </ScrollBox>
        ) : (
          <div
            className={clsx(
              'wikitext prose overflow-x-auto p-2 font-serif text-agent [overflow-wrap:anywhere]',
              kerningOf(text)
            )}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: the server sanitizes the HTML
            dangerouslySetInnerHTML={{ __html: rendered }}
          />
        )}
      </div>
    </section>
  )
}

/** How often a streaming text is rendered, in milliseconds. */
const renderMs = 1_000
/** How long a result is kept for a row that scrolls back into view, in milliseconds. */
const keptMs = 300_000

/**
 * Returns wikitext as the server renders it. `html` is null until the first response, and if there is a
 * `problem`.
 */
function useWikitext(
  { text, wiki, title }: Pick<WikitextProps, 'text' | 'wiki' | 'title'>,
  streaming: boolean
): Rendered {
  const { store } = useSessionContext()
  const settled = useThrottled(text, streaming ? renderMs : 0)
  const { data, error } = useRead({
    queryKey: ['wikitext', settled, wiki, title],
    queryFn: () =>
      store.client.call('renderWikitext', { path: store.path, body: { text: settled, wiki, title } }),
    placeholderData: before => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: forgetAfter(keptMs)
  })
  if (error !== null)
    return { html: null, problem: errorText({ error }, 'The source of this wikitext is shown.') }
  return data ?? { html: null }
}
