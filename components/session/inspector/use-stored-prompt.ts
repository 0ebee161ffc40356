'use client'
import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'

type Read = { prompt: StoredPrompt } | { none: true } | { problem: string } | undefined

/**
 * Returns a stored prompt, or the newest one if `promptId` is undefined. It reads again when the server can
 * have stored another prompt, and returns the last result meanwhile. Returns undefined before the first
 * result.
 */
export function useKeptPrompt(promptId: number | undefined): Read {
  const { store } = useSessionContext()
  const changes = useSessionState(({ transcript: { status, messages, calls } }) => {
    const settled = Object.values(calls).filter(call => call.settledAt !== undefined).length
    return `${status} ${messages.length} ${Object.keys(calls).length} ${settled}`
  })
  const [read, setRead] = useState<Read>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload when `changes` changes
  useEffect(() => {
    let gone = false
    const { call } = store.client
    const newest = async () =>
      (await call('listPrompts', { path: store.path, query: { limit: 1 } })).prompts[0]?.promptId
    const look = async (): Promise<Read> => {
      const id = promptId ?? (await newest())
      if (id === undefined) return { none: true }
      return { prompt: await call('getPrompt', { path: { ...store.path, promptId: id } }) }
    }
    void replyTo(look()).then(reply => {
      if (!gone) setRead(reply.ok ? reply.body : { problem: readError(reply) })
    })
    return () => {
      gone = true
    }
  }, [store, promptId, changes])
  return read
}
