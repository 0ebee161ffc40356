import type { ExternalCheck } from '@waystation/protocol/external-agent/check.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/**
 * The result of checking a session ID. `refused`: the server would reject the ID. `attaches`: the ID belongs
 * to an existing session, which opens. `warns`: the external agent does not know the ID, or did not respond. `title`:
 * the external agent's title of the conversation.
 */
type Judged = {
  words: string
  refused: boolean
  attaches: boolean
  warns?: boolean
  title?: string | undefined
}

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
  if (data === undefined)
    return error === null || error.temporary ? nothing : { ...nothing, words: error.message, refused: true }
  const { outcome, agentId: owner = '', external } = data
  const name = agents.find(agent => agent.agentId === owner)?.displayName ?? owner
  const words = {
    new: 'This ID is available.',
    attach: "A session with this ID exists. You'll open it.",
    revive: 'A session with this ID was deleted. The new one starts empty.',
    taken: `This ID belongs to a session with ${name}. Choose another ID.`
  }
  return {
    words: [words[outcome], external === undefined ? '' : externalWords(external)].join(' ').trim(),
    refused: outcome === 'taken',
    attaches: outcome === 'attach',
    warns: external !== undefined && !('exists' in external && external.exists),
    title: external !== undefined && 'exists' in external ? external.title : undefined
  }
}

/** Describes what an external agent says about an ID. The session can be created in any case. */
export function externalWords(external: ExternalCheck): string {
  if ('error' in external) return external.error
  if (!external.exists) return "The external agent doesn't know this ID. You can still use it."
  return external.title
    ? `The external agent knows it as “${external.title}”.`
    : 'The external agent knows it.'
}
