'use client'
import type { PromptPage, StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
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
    const get = async <Body>(path: string): Promise<Body> => {
      const reply = await store.http<Body>('GET', `${store.path}/prompts${path}`)
      if (reply.ok) return reply.body
      throw new Error(readError(reply))
    }
    const newest = async () => (await get<PromptPage>('?limit=1')).prompts[0]?.promptId
    const look = async (): Promise<Read> => {
      try {
        const id = promptId ?? (await newest())
        return id === undefined ? { none: true } : { prompt: await get<StoredPrompt>(`/${id}`) }
      } catch (error) {
        return { problem: (error as Error).message }
      }
    }
    void look().then(found => {
      if (!gone) setRead(found)
    })
    return () => {
      gone = true
    }
  }, [store, promptId, changes])
  return read
}
