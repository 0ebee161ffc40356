import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { useList } from '#components/workspace/list-context.ts'
import type { WorkspaceUse } from '#components/workspace/workspace-context.ts'

/** An entry of the palette. `what` is its kind, or the agent of a session. */
type Found = { key: string; label: string; what: string; run: () => void }

const most = 8
/** How long typing must pause before the search starts, in ms. */
const typingMs = 120

/** Returns the matching entries, sessions first. Without a query: the newest sessions and all actions. */
export function findAll(
  query: string,
  sessions: readonly ListedSession[],
  shell: WorkspaceUse,
  go: (path: string) => void
): Found[] {
  const { maySend, mayEdit, mayOwn } = shell.me
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isSearch = words.length > 0
  const fits = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const agents = shell.agents.filter(agent => isSearch && fits(`${agent.displayName} ${agent.agentId}`))
  const entry = (label: string, run: () => void, what = 'Action', key = `action ${label}`): Found => ({
    key,
    label,
    what,
    run
  })
  const page = (label: string, path: string) => entry(label, () => go(path))
  const begin = (agentId: string, name: string) =>
    entry(`New session with ${name}`, () => shell.newSession(agentId), 'Action', `begin ${agentId}`)
  const actions = [
    ...(maySend ? [entry('New session', () => shell.newSession())] : []),
    entry('Next pending request', shell.nextWaiting),
    page('Waiting', '/waiting'),
    page('Signals', '/activity'),
    page('Agents', '/agents'),
    page('Catalog', '/catalogue'),
    ...(mayEdit ? [page('New agent', '/agents/new'), page('Deliveries', '/activity/deliveries')] : []),
    page('Connections', '/connections'),
    page('MCP servers', '/connections/mcp'),
    page('Wikis', '/wikis'),
    page('Plugins', '/plugins'),
    page('Settings', '/settings'),
    ...(mayOwn ? [page('Audit log', '/settings/audit')] : []),
    entry('Keyboard shortcuts', shell.showKeys)
  ]
  return [
    ...sessions
      .slice(0, isSearch ? most : 5)
      .map(({ id, title, agentName }) =>
        entry(sessionTitle(title, id), () => go(sessionPath(id)), agentName, `session ${id}`)
      ),
    ...agents
      .slice(0, most)
      .flatMap(({ agentId, displayName }) => [
        ...(maySend ? [begin(agentId, displayName)] : []),
        entry(displayName, () => go(`/agents/${agentId}`), 'Agent', `agent ${agentId}`)
      ]),
    ...actions.filter(({ label }) => fits(label))
  ]
}

/**
 * Returns the sessions whose title, ID or last message contains the query. Until the server responds, they
 * come from the list.
 */
export function useFoundSessions(query: string): readonly ListedSession[] {
  const { rows } = useList()
  const words = query.trim()
  const settled = useDebounced(words, typingMs)
  const { data } = useRead({
    queryKey: ['found sessions', settled],
    queryFn: () => client.sessions.list({ limit: most, q: settled }),
    enabled: settled !== ''
  })
  if (words === '') return rows
  if (data !== undefined && settled === words) return data.sessions
  const lower = words.toLowerCase()
  return rows.filter(
    ({ title, id }) => title.toLowerCase().includes(lower) || id.toLowerCase().includes(lower)
  )
}
