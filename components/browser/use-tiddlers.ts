import type { WaystationClient } from '@waystation/client'
import type { TiddlerPage } from '@waystation/protocol/wiki/wiki.ts'
import { useState } from 'react'
import { faultOf, useReadPages } from './queries.tsx'
import { useDebounced } from './use-debounced.ts'

/** How long typing must pause before the search starts, in ms. */
const pauseMs = 200

/**
 * Searches the tiddlers of a wiki by text and tag. `first` is the first page without a search. If it is
 * undefined, the hook loads it. `page` contains all tiddlers that are loaded.
 */
export function useTiddlers<First extends TiddlerPage | undefined>(
  client: WaystationClient,
  wiki: string,
  first: First
) {
  const [text, setSearch] = useState('')
  const [tag, setTag] = useState('')
  const search = useDebounced(text.trim(), pauseMs)
  const isUnfiltered = search === '' && tag === ''
  const query = useReadPages({
    queryKey: ['tiddlers', wiki, search, tag],
    queryFn: ({ pageParam: offset }) =>
      client.call('listTiddlers', {
        path: { wiki },
        query: { offset, search: search || undefined, tag: tag || undefined }
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }: TiddlerPage) => nextOffset,
    placeholderData: before => before,
    first: isUnfiltered ? first : undefined,
    // After an import, the server renders another first page.
    version: [first]
  })
  const pages = query.data?.pages ?? []
  const last = pages.at(-1)
  const page: TiddlerPage | First =
    last === undefined ? first : { ...last, tiddlers: pages.flatMap(({ tiddlers }) => tiddlers) }
  return {
    page,
    fault: faultOf(query) ?? '',
    search: text,
    setSearch,
    tag,
    setTag,
    more: () => void query.fetchNextPage()
  }
}
