'use client'
import { useEffect, useState } from 'react'
import { plainText } from '#components/browser/plain-text.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { newReplies } from './new-replies.ts'

/** Announces each new reply of the agent to screen readers, once it is complete. */
export function ReplyAnnouncer() {
  const { agent, store } = useSessionContext()
  const loaded = useSessionState(state => state.loaded)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!loaded) return
    const messages = () => store.getState().transcript.messages
    const take = newReplies(messages())
    return store.subscribe(() => {
      const replies = take(messages())
      if (replies.length > 0) setText(`${agent.displayName}: ${plainText(replies.join(' '))}`)
    })
  }, [agent.displayName, loaded, store])
  return (
    <p aria-live="polite" data-hook="reply-announcer" className="sr-only">
      {text}
    </p>
  )
}
