'use client'
import type { WaitingCall, WaystationClient } from '@waystation/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { waitingFor } from './playground.ts'
import { useWaystation } from './provider.tsx'
import type { Stores } from './stores.ts'
import type { UseWaiting } from './types.ts'

/** Interval between requests for the pending calls of a workspace, in ms. */
const often = 3000
const none: readonly WaitingCall[] = []

/** With a session token, reads the stores of the followed sessions. Otherwise, polls the workspace. */
export function useWaiting(): UseWaiting {
  const { client, stores } = useWaystation()
  const followed = useFollowed(stores)
  const [asked, error] = useAsked(client)
  return client.credential === 'token' ? { calls: followed, error: undefined } : { calls: asked, error }
}

function useFollowed(stores: Stores): readonly WaitingCall[] {
  const last = useRef(none)
  const look = () => {
    const next = followedBy(stores)
    const same = next.length === last.current.length && next.every((call, i) => isSame(call, last.current[i]))
    if (!same) last.current = next
    return last.current
  }
  return useSyncExternalStore(stores.subscribe, look, look)
}

const isSame = (a: WaitingCall, b: WaitingCall | undefined) =>
  a.toolCallId === b?.toolCallId && a.deadline === b.deadline && a.title === b.title

function followedBy(stores: Stores): WaitingCall[] {
  const calls = [...stores.held()].flatMap(([sessionId, store]) => {
    const { transcript, session } = store.getState()
    return waitingFor(Object.values(transcript.calls)).map(({ title: callTitle, ...call }) => ({
      ...call,
      sessionId,
      agentId: session?.agentId ?? '',
      title: transcript.title,
      ...(callTitle === undefined ? {} : { callTitle })
    }))
  })
  return calls.sort((a, b) => a.deadline.localeCompare(b.deadline)) as WaitingCall[]
}

function useAsked(client: WaystationClient): [readonly WaitingCall[], Error | undefined] {
  const [calls, setCalls] = useState(none)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (client.credential === 'token') return
    let gone = false
    let shown = ''
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        const page = await client.waiting()
        if (gone) return
        setError(undefined)
        if (JSON.stringify(page.calls) === shown) return
        shown = JSON.stringify(page.calls)
        setCalls(page.calls)
      } catch (cause) {
        if (!gone) setError(cause as Error)
      }
    }
    void look()
    const timer = setInterval(look, often)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [client])
  return [calls, error]
}
