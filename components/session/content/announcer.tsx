import { useEffect, useRef, useState } from 'react'
import { plainText } from '#components/browser/plain-text.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { newReplies } from './new-replies.ts'

type AnnouncerProps = {
  /** Precedes the news, such as "Waiting for you: ". */
  intro: string
  news: readonly { id: string; words: string }[]
  'data-hook'?: string
}

/**
 * Announces news to screen readers that arrived after the page was opened, each of them once. The text is removed when
 * there is no news left, so that a user who reads the page later does not find it.
 */
export function Announcer({ intro, news, ...props }: AnnouncerProps) {
  const said = useRef(new Set(news.map(({ id }) => id)))
  const [text, setText] = useState('')
  useEffect(() => {
    if (news.length === 0) setText('')
    const fresh = news.filter(({ id }) => !said.current.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) said.current.add(id)
    setText(intro + fresh.map(({ words }) => words).join('; '))
  }, [intro, news])
  return (
    <p aria-live="polite" className="sr-only" {...props}>
      {text}
    </p>
  )
}

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
