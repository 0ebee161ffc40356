'use client'
import type { ConnectMode, Sharing } from '@waystation/protocol/connection/connection.ts'
import { client } from '#components/browser/client.ts'
import { type ConnectEnd, type ConnectPhase, createConnectFlow } from '#components/browser/connect-flow.ts'
import { createObservers } from '#components/browser/observers.ts'
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
type Standing = ConnectPhase | { kind: 'ended'; reason: ConnectEnd }

/**
 * Creates the state of connecting one account. Its window has a unique name, so that several accounts can be
 * connected at once.
 */
export function createConnecting(target: Target) {
  const { integration, slug, sharing } = target
  const { subscribe, announce } = createObservers()
  let standing: Standing = { kind: 'idle' }
  const set = (next: Standing) => {
    standing = next
    announce()
  }
  const flow = createConnectFlow({
    name: `waystation-connect-${integration}-${slug}-${sharing}`,
    begin: mode =>
      replyTo(client.connections.start({ integration, slug, sharing, opener: location.origin, mode })),
    look: attemptId => replyTo(client.connections.attempt(attemptId)),
    drop: attemptId => replyTo(client.connections.cancelAttempt(attemptId)),
    onEnd: reason => set({ kind: 'ended', reason })
  })
  flow.subscribe(() => set(flow.get()))
  return {
    target,
    get: () => standing,
    subscribe,
    connect: flow.connect,
    cancel: flow.cancel,
    stop: flow.stop
  }
}
export type Connecting = ReturnType<typeof createConnecting>
