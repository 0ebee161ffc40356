'use client'
import { WikiSearchResult } from '@waystation/protocol/wiki/wiki-tools.ts'
import { Wikitext } from '#components/session/content/wikitext.tsx'

/** The tiddlers that a wiki tool gave the agent, as one reads them; those that are no wikitext stand in the result alone. */
export function FoundTiddlers({ output }: { output: unknown }) {
  const found = WikiSearchResult.safeParse(output)
  if (!found.success) return null
  return found.data.tiddlers
    .filter(({ text, type = 'text/vnd.tiddlywiki' }) => text.trim() !== '' && type === 'text/vnd.tiddlywiki')
    .map(({ title, text, cut }) => (
      <Wikitext key={title} text={text} label={cut ? `${title} (excerpt)` : title} />
    ))
}
