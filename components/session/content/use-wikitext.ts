'use client'
import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import { errorText } from '#components/browser/error-text.ts'
import { forgetAfter, useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/** How long a streaming text must pause before it is rendered, in milliseconds. */
const pauseMs = 400
/** How long a result is kept for a row that scrolls back into view, in milliseconds. */
const keptMs = 300_000

/**
 * Returns wikitext as the server renders it. `html` is null until the first response, and if there is a
 * `problem`.
 */
export function useWikitext(text: string, streaming: boolean): Rendered {
  const { store } = useSessionContext()
  const settled = useDebounced(text, streaming ? pauseMs : 0)
  const { data, error } = useRead({
    queryKey: ['wikitext', settled],
    queryFn: () => store.client.call('renderWikitext', { path: store.path, body: { text: settled } }),
    placeholderData: before => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: forgetAfter(keptMs)
  })
  if (error !== null)
    return { html: null, problem: errorText({ error }, 'The source of this wikitext is shown.') }
  return data ?? { html: null }
}
