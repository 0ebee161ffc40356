'use client'
import type { WaystationClient } from '@waystation/client'
import type { TiddlerPage } from '@waystation/protocol/wiki/wiki.ts'
import { useEffect, useRef, useState } from 'react'
import { readError } from './error-text.ts'
import { replyTo } from './reply.ts'

/** How long typing must pause before the search starts, in ms. */
const pauseMs = 200

/**
 * Searches the tiddlers of a wiki by text and tag. `first` is the first page without a search. If it is
 * undefined, the hook loads it.
 */
export function useTiddlers<First extends TiddlerPage | undefined>(
  client: WaystationClient,
  wiki: string,
  first: First
) {
  const [search, setSearch] = useState('')
  const [tag, setTag] = useState('')
  const [found, setFound] = useState<TiddlerPage>()
  const [fault, setFault] = useState('')
  /** The number of the newest request. Responses to older ones are ignored. */
  const asked = useRef(0)
  const page: TiddlerPage | First = found ?? first

  const load = async (offset: number, before: TiddlerPage['tiddlers']) => {
    const mine = ++asked.current
    const query = { offset, search: search.trim() || undefined, tag: tag || undefined }
    const reply = await replyTo(client.call('listTiddlers', { path: { wiki }, query }))
    if (mine !== asked.current) return
    setFault(reply.ok ? '' : readError(reply))
    if (reply.ok) setFound({ ...reply.body, tiddlers: [...before, ...reply.body.tiddlers] })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another search starts a new list
  useEffect(() => {
    asked.current++
    const nothing = search.trim() === '' && tag === ''
    if (nothing && first !== undefined) return setFound(undefined)
    const timer = setTimeout(() => void load(0, []), nothing ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [search, tag, first])

  return {
    page,
    fault,
    search,
    setSearch,
    tag,
    setTag,
    more: () => {
      if (page !== undefined && page.nextOffset !== null) void load(page.nextOffset, page.tiddlers)
    }
  }
}
