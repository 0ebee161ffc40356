'use client'
import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import { useEffect, useState } from 'react'
import { errorText } from '#components/browser/error-text.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * The latest results by text, so that a row that scrolls back into view needs no request. The oldest is
 * deleted first.
 */
const kept = new Map<string, Rendered>()
const keptMost = 100

/** How long a streaming text must pause before it is rendered, in milliseconds. */
const pauseMs = 400

const nothing: Rendered = { html: null }

/**
 * Returns wikitext as the server renders it. `html` is null until the first response, and if there is a
 * `problem`.
 */
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
          problem: errorText(reply, 'The source of this wikitext is shown.')
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
