'use client'
import type { Call, Message, OutOfBand, SessionClient, SessionView } from '@waystation/client'
import { useMemo, useSyncExternalStore } from 'react'
import { errorOf } from './errors.ts'
import { type SessionStore, waitingFor } from './playground.ts'
import { useStore, useWaystation } from './provider.tsx'
import type { NewMessage, UseSession } from './types.ts'

export function useSession(sessionId: string, { initial }: { initial?: SessionView } = {}): UseSession {
  const { client, stores } = useWaystation()
  const store = useStore(sessionId, initial)
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  const { transcript, pending } = state
  const verbs = useMemo(
    () => verbsOf(store, client.session(sessionId), () => stores.hold(sessionId)),
    [store, client, stores, sessionId]
  )
  const messages = useMemo(
    () => transcript.messages.map(({ message }) => message as Message),
    [transcript.messages]
  )
  const openCalls = useMemo(() => waitingFor(Object.values(transcript.calls)), [transcript.calls])
  const outOfBand = useMemo(
    () => Object.values(transcript.outOfBand).sort((a, b) => (a.queuedAt < b.queuedAt ? -1 : 1)),
    [transcript.outOfBand]
  )
  const sends = useMemo(
    () =>
      pending.sends.map(({ key, text, state, refusal }) => ({
        key,
        text,
        state,
        ...(refusal === undefined ? {} : { error: refusal })
      })),
    [pending.sends]
  )
  const { gone, problem } = state
  const error = useMemo(() => errorOf({ gone, problem }), [gone, problem])
  return {
    loaded: state.loaded,
    connection: state.connection,
    status: transcript.status,
    title: transcript.title,
    messages,
    calls: transcript.calls as Readonly<Record<string, Call>>,
    openCalls: openCalls as readonly Call[],
    pending: sends,
    outOfBand: outOfBand as readonly OutOfBand[],
    agentStatus: transcript.agentStatus,
    error,
    ...verbs
  }
}

const verbsOf = (store: SessionStore, { files: storage }: SessionClient, hold: () => () => void) => ({
  send: async (message: string | NewMessage) => {
    const { text, files = [], whenBusy } = typeof message === 'string' ? { text: message } : message
    // The component can be unmounted before the files are uploaded.
    const release = hold()
    try {
      const upload = (file: File) => storage.upload(file, { name: file.name })
      const stored = files.length === 0 ? undefined : await Promise.all(files.map(upload))
      store.send(text, whenBusy, { files: stored })
    } finally {
      release()
    }
  },
  tell: (...told: Parameters<UseSession['tell']>) => store.tell(...told),
  resend: (messageId: string) => void store.resend(messageId),
  takeBack: (oobId: string) => void store.removeOutOfBand(oobId),
  discard: (key: string) => void store.discard(key),
  answer: (toolCallId: string, answer: Parameters<UseSession['answer']>[1]) =>
    void store.answer(toolCallId, answer as Parameters<SessionStore['answer']>[1]),
  extend: (toolCallId: string, seconds: number) => void store.extend(toolCallId, seconds),
  cancel: () => void store.cancel(),
  loadEarlier: () => void store.loadEarlier()
})
