import type { Call } from '@waystation/protocol/call/call.ts'
import { useEffect, useRef } from 'react'
import type { SessionStore } from './session-store.ts'

/**
 * The browser tools of an app, by name. A handler returns the call's output, or throws an error whose message
 * the agent receives.
 */
export type ClientHandlers = Readonly<Record<string, (input: unknown) => Promise<unknown>>>

/** Returns the part of `client-info` that needs no permission from the user. */
export const clientInfo = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: navigator.language
})

/** True if `client-info` asks for the location. The user must then answer on a card. */
const wantsLocation = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'location' in input && input.location !== false

/**
 * Answers the open browser calls that need no user: calls with a handler of the app, and `client-info`
 * without a location. Each call is answered once per page. In browsers that support Web Locks, only one tab
 * answers it.
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
