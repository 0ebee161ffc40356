'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { useEffect, useRef } from 'react'
import type { SessionStore } from './session-store.ts'

/** A browser tool of an app: gives the call's output, or throws a sentence that the agent is told. */
export type ClientHandlers = Readonly<Record<string, (input: unknown) => Promise<unknown>>>

/** What a page knows of a person without asking anybody. */
export const clientInfo = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: navigator.language
})

/** True if `client-info` wants what only the person can give: then a card asks for a click. */
const wantsLocation = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'location' in input && input.location !== false

/**
 * Answers the open browser calls that this page can answer by itself: the app's handlers, and `client-info` where it
 * needs no permission. Once per call in this page, and by one tab only where the browser has locks.
 */
export function useClientTools(
  store: SessionStore,
  calls: Readonly<Record<string, Call>>,
  handlers: ClientHandlers,
  may: boolean
): void {
  const begun = useRef(new Set<string>())
  useEffect(() => {
    if (!may) return
    for (const call of Object.values(calls)) {
      if (call.state !== 'open' || call.kind !== 'client' || begun.current.has(call.toolCallId)) continue
      const handler = handlers[call.toolName] ?? builtIn(call)
      if (handler === undefined) continue
      begun.current.add(call.toolCallId)
      void inOneTab(call.toolCallId, async () => {
        try {
          store.answer(call.toolCallId, { output: await handler(call.input) })
        } catch (error) {
          store.answer(call.toolCallId, { error: error instanceof Error ? error.message : String(error) })
        }
      })
    }
  }, [store, calls, handlers, may])
}

function builtIn(call: Call): ((input: unknown) => Promise<unknown>) | undefined {
  return call.toolName === 'client-info' && !wantsLocation(call.input) ? async () => clientInfo() : undefined
}

async function inOneTab(toolCallId: string, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run()
  await navigator.locks.request(`waystation:call:${toolCallId}`, { ifAvailable: true }, async lock => {
    if (lock !== null) await run()
  })
}
