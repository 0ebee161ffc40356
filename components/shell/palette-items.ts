'use client'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { useList } from '#components/workspace/list-context.ts'
import type { WorkspaceUse } from '#components/workspace/workspace-context.ts'

/** An entry of the palette. `what` is its kind, or the agent of a session. */
export type Found = { key: string; label: string; what: string; run: () => void }

type Go = (path: string) => void

const most = 8
/** How long typing must pause before the search starts, in ms. */
const typingMs = 120

/** Returns the matching entries, sessions first. Without a query: the newest sessions and all actions. */
export function findAll(
  query: string,
  sessions: readonly ListedSession[],
  shell: WorkspaceUse,
  go: Go
): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const names = new Map(shell.agents.map(agent => [agent.agentId, agent.displayName]))
  return [
    ...sessions.slice(0, words.length === 0 ? 5 : most).map(session => ({
      key: `session ${session.id}`,
      label: sessionTitle(session.title, session.id),
      what: names.get(session.agentId) ?? session.agentId,
      run: () => go(sessionPath(session.id))
    })),
    ...shell.agents
      .filter(agent => words.length > 0 && fits(`${agent.displayName} ${agent.agentId}`))
      .slice(0, most)
      .flatMap(agent => [
        ...(shell.me.maySend
          ? [
              {
                key: `begin ${agent.agentId}`,
                label: `New session with ${agent.displayName}`,
                what: 'Action',
                run: () => shell.newSession(agent.agentId)
              }
            ]
          : []),
        {
          key: `agent ${agent.agentId}`,
          label: agent.displayName,
          what: 'Agent',
          run: () => go(`/agents/${agent.agentId}`)
        }
      ]),
    ...actions(shell, go).filter(action => fits(action.label))
  ]
}

function actions(shell: WorkspaceUse, go: Go): Found[] {
  const action = (label: string, run: () => void): Found => ({
    key: `action ${label}`,
    label,
    what: 'Action',
    run
  })
  return [
    ...(shell.me.maySend ? [action('New session', () => shell.newSession())] : []),
    action('Next pending request', shell.nextWaiting),
    action('Waiting', () => go('/waiting')),
    action('Out-of-band messages', () => go('/out-of-band')),
    action('Agents', () => go('/agents')),
    ...(shell.me.mayEdit ? [action('New agent', () => go('/agents/new'))] : []),
    ...(shell.me.mayEdit ? [action('Deliveries', () => go('/deliveries'))] : []),
    action('Connections', () => go('/connections')),
    action('MCP servers', () => go('/connections/mcp')),
    action('Settings', () => go('/settings')),
    action('Keyboard shortcuts', shell.showKeys)
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
