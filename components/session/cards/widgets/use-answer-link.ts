'use client'
import { useEffect, useState } from 'react'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the link with which an external service answers this open call. The link is a capability, so it is
 * not in the log. The page requests it only for users who can answer, while the call is open. Otherwise, and
 * while it loads, this is undefined.
 */
export function useAnswerLink(toolCallId: string, open: boolean): string | undefined {
  const { store, may, can } = useSessionContext()
  const [url, setUrl] = useState<string>()
  const asks = open && may.answer && can.members
  useEffect(() => {
    if (!asks) return
    let gone = false
    const path = { ...store.path, toolCallId }
    void replyTo(store.client.call('answerLink', { path })).then(reply => {
      if (!gone && reply.ok) setUrl(reply.body.answerUrl)
    })
    return () => {
      gone = true
    }
  }, [asks, store, toolCallId])
  return asks ? url : undefined
}
