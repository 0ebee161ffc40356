import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'

/**
 * Returns a stored prompt, or the newest one if `promptId` is undefined. It reads again when the server can
 * have stored another prompt, and returns the last result meanwhile. `prompt` is undefined before the first
 * result, and null if no prompt is stored.
 */
export function useStoredPrompt(promptId: number | undefined): {
  prompt: StoredPrompt | null | undefined
  problem: string | undefined
} {
  const { store } = useSessionContext()
  const { call } = store.client
  const changes = useSessionState(({ transcript: { status, messages, calls } }) => {
    const settled = Object.values(calls).filter(call => call.settledAt !== undefined).length
    return `${status} ${messages.length} ${Object.keys(calls).length} ${settled}`
  })
  const newest = async () =>
    (await call('listPrompts', { path: store.path, query: { limit: 1 } })).prompts[0]?.promptId
  const query = useRead<StoredPrompt | null>({
    queryKey: ['prompt', store.path, promptId],
    queryFn: async () => {
      const id = promptId ?? (await newest())
      return id === undefined ? null : call('getPrompt', { path: { ...store.path, promptId: id } })
    },
    placeholderData: before => before,
    version: [changes]
  })
  return { prompt: query.data, problem: faultOf(query) }
}
