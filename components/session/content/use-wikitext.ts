'use client'
import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import { useEffect, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'

/** What was rendered lately, by its text, so that a row that comes back into sight asks nobody; the oldest goes first. */
const kept = new Map<string, Rendered>()
const keptMost = 100

/** How long a text that still grows has to pause before it is rendered, in ms. */
const pauseMs = 400

const nothing: Rendered = { html: null }

/** Wikitext as the server renders it. `html` is null until it is there, and stays so with a `problem`. */
export function useWikitext(text: string, streaming: boolean): Rendered {
  const { store } = useSessionContext()
  const [last, setLast] = useState(kept.get(text) ?? nothing)
  useEffect(() => {
    const known = kept.get(text)
    if (known !== undefined) return setLast(known)
    let over = false
    const ask = async () => {
      const reply = await store.renderWikitext(text)
      if (over) return
      if (!reply.ok)
        return setLast({
          html: null,
          problem: reply.lost
            ? "The server couldn't render this wikitext. Its source is shown."
            : reply.refusal.error
        })
      kept.set(text, reply.body)
      const [oldest] = kept.keys()
      if (kept.size > keptMost && oldest !== undefined) kept.delete(oldest)
      setLast(reply.body)
    }
    const timer = setTimeout(() => void ask(), streaming ? pauseMs : 0)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [text, streaming, store])
  return last
}
