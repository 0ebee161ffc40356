'use client'
import { useEffect, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * The link through which another system answers this open call. It is a capability, so it is not in the log: only who
 * may answer is told it, when the card is open. Undefined while it is fetched and for everybody else.
 */
export function useAnswerLink(toolCallId: string, open: boolean): string | undefined {
  const { store, may, embedded } = useSessionContext()
  const [url, setUrl] = useState<string>()
  const asks = open && may.answer && !embedded
  useEffect(() => {
    if (!asks) return
    let gone = false
    const path = `${store.path}/calls/${encodeURIComponent(toolCallId)}/link`
    void store.http<{ answerUrl: string }>('GET', path).then(reply => {
      if (!gone && reply.ok) setUrl(reply.body.answerUrl)
    })
    return () => {
      gone = true
    }
  }, [asks, store, toolCallId])
  return asks ? url : undefined
}
