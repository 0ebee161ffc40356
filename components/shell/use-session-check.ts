'use client'
import type { CheckedSession } from '@waystation/protocol/session/session.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'

/**
 * The result of checking a session ID. `refused`: the server would reject the ID. `attaches`: the ID belongs
 * to an existing session, which opens.
 */
export type Judged = { words: string; refused: boolean; attaches: boolean }

/** How long typing must pause before the server checks the ID, in ms. */
const rest = 200
const nothing: Judged = { words: '', refused: false, attaches: false }

/** Checks an ID while the user types, as creating the session would (000-7, 000-18). Ignores an empty ID. */
export function useSessionCheck(agentId: string, typed: string): Judged {
  const { agents } = useWorkspace()
  const id = typed.trim()
  const settled = useDebounced(id, rest)
  const { data, error } = useRead({
    queryKey: ['session check', agentId, settled],
    queryFn: () => client.call('checkSession', { query: { agentId, sessionId: settled } }),
    enabled: settled !== '' && settled === id
  })
  if (id === '' || settled !== id) return nothing
  if (data !== undefined) return judge(data, agent => nameOf(agents, agent))
  return error === null || error.temporary ? nothing : { ...nothing, words: error.message, refused: true }
}

const nameOf = (agents: WorkspaceUse['agents'], agentId: string) =>
  agents.find(one => one.agentId === agentId)?.displayName ?? agentId

function judge({ outcome, agentId = '' }: CheckedSession, nameOf: (agentId: string) => string): Judged {
  switch (outcome) {
    case 'new':
      return { ...nothing, words: 'This ID is available.' }
    case 'attach':
      return { ...nothing, words: "A session with this ID exists. You'll open it.", attaches: true }
    case 'revive':
      return { ...nothing, words: 'A session with this ID was deleted. The new one starts empty.' }
    case 'taken':
      return {
        ...nothing,
        words: `This ID belongs to a session with ${nameOf(agentId)}. Choose another ID.`,
        refused: true
      }
  }
}
