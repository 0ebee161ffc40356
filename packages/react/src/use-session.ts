'use client'
import type { Call, Message, OutOfBand } from '@waystation/client'
import { useMemo, useSyncExternalStore } from 'react'
import { type SessionStore, waitingFor } from './playground.ts'
import { useStore } from './provider.tsx'
import type { UseSession } from './types.ts'

export function useSession(sessionId: string): UseSession {
  const store = useStore(sessionId)
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  const { transcript, pending } = state
  const verbs = useMemo(() => verbsOf(store), [store])
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
        ...(refusal === undefined ? {} : { error: refusal.message })
      })),
    [pending.sends]
  )
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
    problem: state.gone?.message ?? state.problem,
    ...verbs
  }
}

const verbsOf = (store: SessionStore) => ({
  send: (...said: Parameters<UseSession['send']>) => void store.send(...said),
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
