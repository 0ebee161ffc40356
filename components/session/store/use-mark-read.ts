import type { Message } from '@waystation/protocol/session/message.ts'
import { useEffect } from 'react'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext, useSessionState } from './session-context.ts'
import type { SessionState } from './session-state.ts'

/**
 * Tells the server that this user has read the newest complete message, once the page is visible. `onRead` is called
 * after that.
 */
export function useMarkRead(onRead: (() => void) | undefined): void {
  const { store } = useSessionContext()
  const messageId = useSessionState(newestComplete)
  useEffect(() => {
    if (messageId === undefined) return
    let marked = false
    const mark = async () => {
      if (marked || document.visibilityState !== 'visible') return
      marked = true
      const reply = await replyTo(store.client.call('markRead', { path: store.path, body: { messageId } }))
      // A failed request is repeated when the user returns to the page.
      if (reply.ok) onRead?.()
      else marked = false
    }
    void mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [store, messageId, onRead])
}

/** A reply is complete when its turn has ended, or when an external agent has sent its last piece. */
function newestComplete({ transcript: { messages, status } }: SessionState): string | undefined {
  const isUnderWay = status === 'running' || status === 'parked'
  return messages.findLast(
    ({ message }, index) =>
      message.metadata?.queued === undefined &&
      !isStreaming(message) &&
      !(isUnderWay && message.role === 'assistant' && index === messages.length - 1)
  )?.message.id
}

const isStreaming = ({ parts }: Message) => parts.some(part => 'state' in part && part.state === 'streaming')
