import type { ConnectMode, Sharing } from '@waystation/protocol/connection/connection.ts'
import { useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import {
  type ConnectEnd,
  type ConnectFlow,
  type ConnectPhase,
  createConnectFlow
} from '#components/browser/connect-flow.ts'
import { replyTo } from '#components/browser/reply.ts'

/** An account to connect. Without `mode`, the server uses the preferred mode of the integration. */
export type Target = {
  integration: string
  service: string
  slug: string
  sharing: Exclude<Sharing, 'session'>
  mode?: ConnectMode
}

/** The progress of a connection. `ended`: the user canceled it or closed the window, or the time ran out. */
export type Standing = ConnectPhase | { kind: 'ended'; reason: ConnectEnd }

/** An account that is being connected. */
export type Connecting = { target: Target; flow: ConnectFlow; standing: Standing }

/**
 * Tracks the accounts that are being connected from one part of the page. Call `connect` directly in a click
 * handler, because it opens a window. For an account that is already being connected, it starts over.
 */
export function useConnecting() {
  const [connecting, setConnecting] = useState<readonly Connecting[]>([])
  const newest = useRef(connecting)
  newest.current = connecting
  useEffect(
    () => () => {
      for (const { flow } of newest.current) flow.stop()
    },
    []
  )
  const start = (target: Target): ConnectFlow => {
    const { integration, slug, sharing } = target
    const show = (standing: Standing) =>
      setConnecting(all => all.map(one => (one.flow === flow ? { ...one, standing } : one)))
    const flow = createConnectFlow({
      // Several accounts can be connected at once, each in a window of its own.
      name: `waystation-connect-${integration}-${slug}-${sharing}`,
      begin: mode =>
        replyTo(client.connections.start({ integration, slug, sharing, opener: location.origin, mode })),
      look: attemptId => replyTo(client.connections.attempt(attemptId)),
      drop: attemptId => replyTo(client.connections.cancelAttempt(attemptId)),
      onEnd: reason => show({ kind: 'ended', reason })
    })
    flow.subscribe(() => show(flow.get()))
    setConnecting(all => [...all, { target, flow, standing: flow.get() }])
    return flow
  }
  const connect = (target: Target) => {
    const known = connecting.find(
      ({ target: { slug, sharing } }) => slug === target.slug && sharing === target.sharing
    )
    void (known?.flow ?? start(target)).connect(target.mode)
  }
  return { connecting, connect }
}
