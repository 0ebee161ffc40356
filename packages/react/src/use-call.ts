'use client'
import type { Answer, Call } from '@waystation/client'
import { useCallback, useSyncExternalStore } from 'react'
import { answerTo, isBusy, type SessionStore } from './playground.ts'
import { useStore } from './provider.tsx'
import type { UseCall } from './types.ts'

export function useCall(sessionId: string, toolCallId: string): UseCall {
  const store = useStore(sessionId)
  const getCall = () => store.getState().transcript.calls[toolCallId]
  const call = useSyncExternalStore(store.subscribe, getCall, getCall)
  const getAnswer = () => (call === undefined ? undefined : answerTo(store.getState().pending, call))
  const pending = useSyncExternalStore(store.subscribe, getAnswer, getAnswer)
  const answer = useCallback(
    (given: Answer) => void store.answer(toolCallId, given as Parameters<SessionStore['answer']>[1]),
    [store, toolCallId]
  )
  return {
    call: call as Call | undefined,
    busy: isBusy(pending),
    error: pending?.refusal,
    answer
  }
}
