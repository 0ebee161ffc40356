'use client'
import { WikiSearchResult } from '@waystation/protocol/wiki/wiki-search-result.ts'
import { Wikitext } from '#components/session/content/wikitext.tsx'

/**
 * Renders the tiddlers that a wiki tool returned to the agent. Tiddlers that are not wikitext are left out,
 * because the raw result contains them.
 */
export function FoundTiddlers({ output }: { output: unknown }) {
  const found = WikiSearchResult.safeParse(output)
  if (!found.success) return null
  return found.data.tiddlers
    .filter(({ text, type = 'text/vnd.tiddlywiki' }) => text.trim() !== '' && type === 'text/vnd.tiddlywiki')
    .map(({ title, text, cut }) => (
      <Wikitext key={title} text={text} label={cut ? `${title} (excerpt)` : title} />
    ))
}
