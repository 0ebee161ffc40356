'use client'
import type { WaitingCall } from '@waystation/client'
import { useRef, useSyncExternalStore } from 'react'
import { useRead, waitingFor } from './playground.ts'
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
  const isToken = client.credential === 'token'
  const { data, error } = useRead({
    queryKey: ['waiting'],
    queryFn: () => client.waiting(),
    enabled: !isToken,
    refetchInterval: often
  })
  return isToken
    ? { calls: followed, error: undefined }
    : { calls: data?.calls ?? none, error: error ?? undefined }
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
