import { newKey } from '@waystation/client'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import type { ReactNode } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError, readError } from '#components/browser/error-text.ts'
import type { Hotkey } from '#components/browser/hotkeys.ts'
import { useRead } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { settingGroups } from '#components/settings/sections.ts'
import { BranchIcon, CopyIcon, DownloadIcon, InspectorIcon, icon, ToIcon } from '#components/ui/icons.tsx'
import { describe, keyOf, type Request } from '#components/waiting/request.ts'
import { useList } from '#components/workspace/list-context.ts'
import type { WorkspaceUse } from '#components/workspace/workspace-context.ts'
import { type Place, places, settings } from './places.tsx'

/**
 * An entry of the palette. `keys` does the same without the palette, and `beside` is the agent of a session. With
 * `waits`, the palette stays open until `run` returns, and shows its error.
 */
export type Found = {
  key: string
  label: string
  run: () => unknown
  Icon: () => ReactNode
  waits?: true
  keys?: string
  beside?: string
}
export type FoundGroup = { name: string; found: readonly Found[] }

type Wish = {
  query: string
  sessions: readonly ListedSession[]
  /** The requests for the user. */
  requests: readonly Request[]
  shell: WorkspaceUse
  /** The ID of the open session. */
  open: string | undefined
  /** The keys of the open session that are also actions. */
  hotkeys: readonly Hotkey[]
  go: (path: string) => void
}

const most = 8
/** How long typing must pause before the search starts, in ms. */
const typingMs = 120

const StopIcon = icon(<path d="M3.75 3.75h8.5v8.5h-8.5z" />)
const NewIcon = icon(<path d="M8 2.75v10.5M2.75 8h10.5" />)
/** As wide as the other icons. */
const RequestIcon = () => (
  <span className="flex w-4 shrink-0 justify-center">
    <StateGlyph kind="parked" />
  </span>
)
const [SessionsIcon, AgentsIcon] = ['/sessions', '/agents'].map(
  href => places.find(place => place.href === href)?.Icon ?? ToIcon
) as [Place['Icon'], Place['Icon']]

/** Returns the matching entries in groups. Without a query: all actions and pages, the first requests and newest sessions. */
export function findAll({ query, sessions, requests, shell, open, hotkeys, go }: Wish): FoundGroup[] {
  const { maySend, mayEdit } = shell.me
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isSearch = words.length > 0
  const fits = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const action = (label: string, run: () => unknown, keys?: string, Icon: Found['Icon'] = ToIcon): Found => ({
    key: `action ${label}`,
    label,
    run,
    Icon,
    ...(keys === undefined ? {} : { keys })
  })
  const page = (label: string, path: string) => action(label, () => go(path))
  const actions = [
    ...(maySend ? [action('New session', () => shell.newSession(), 'n', NewIcon)] : []),
    ...(requests.length > 0 ? [action('Next pending request', shell.nextWaiting, 'w')] : []),
    ...(mayEdit ? [action('New agent', () => go('/agents/new'), undefined, NewIcon)] : []),
    action('Keyboard shortcuts', shell.showKeys, '?')
  ]
  const pages = [
    ...[...places, settings].map(({ label, href, keys, Icon }) => action(label, () => go(href), keys, Icon)),
    page('Signals', '/activity'),
    ...(mayEdit ? [page('Deliveries', '/activity/deliveries')] : []),
    page('Catalog', '/catalogue'),
    page('MCP servers', '/connections/mcp'),
    ...settingGroups
      .flatMap(({ sections }) => sections)
      .filter(() => isSearch)
      .map(({ label, href }) => page(`Settings › ${label}`, href))
  ]
  const agents = shell.agents.filter(agent => isSearch && fits(`${agent.displayName} ${agent.agentId}`))
  const asked = requests.map(request => ({
    key: `request ${keyOf(request)}`,
    label: describe(request, undefined).title,
    // Only opens it: no entry of the palette answers.
    run: () => go(`/waiting?call=${encodeURIComponent(keyOf(request))}`),
    Icon: RequestIcon,
    beside: sessionTitle(request.title, request.sessionId)
  }))
  const found = {
    name: isSearch ? 'Sessions' : 'Recent sessions',
    found: sessions.slice(0, isSearch ? most : 5).map(({ id, title, agentName }) => ({
      key: `session ${id}`,
      label: sessionTitle(title, id),
      run: () => go(sessionPath(id)),
      Icon: SessionsIcon,
      beside: agentName
    }))
  }
  return [
    {
      name: 'Requests for you',
      found: asked
        .filter(({ label, beside }) => fits(`answer ${label} ${beside}`))
        .slice(0, isSearch ? most : 6)
    },
    ...(isSearch ? [] : [found]),
    {
      name: 'This session',
      found: (open === undefined ? [] : sessionActions(open, maySend, hotkeys, go)).filter(({ label }) =>
        fits(label)
      )
    },
    { name: 'Actions', found: actions.filter(({ label }) => fits(label)) },
    { name: 'Go to', found: pages.filter(({ label }) => fits(label)) },
    ...(isSearch ? [found] : []),
    {
      name: 'Agents',
      found: agents.slice(0, most).flatMap(({ agentId, displayName }) => [
        {
          ...action(displayName, () => go(`/agents/${encodeURIComponent(agentId)}`), undefined, AgentsIcon),
          key: `agent ${agentId}`
        },
        ...(maySend
          ? [
              {
                ...action(
                  `New session with ${displayName}`,
                  () => shell.newSession(agentId),
                  undefined,
                  NewIcon
                ),
                key: `begin ${agentId}`
              }
            ]
          : [])
      ])
    }
  ].filter(({ found }) => found.length > 0)
}

/** The actions of the open session. None of them answers a request. */
function sessionActions(
  sessionId: string,
  maySend: boolean,
  hotkeys: readonly Hotkey[],
  go: (path: string) => void
): Found[] {
  const path = { sessionId }
  const copy = (text: string) => void navigator.clipboard.writeText(text)
  const branch = async () => {
    const session = await replyTo(client.call('getSession', { path }))
    if (!session.ok) return readError(session)
    const messageId = session.body.messages.at(-1)?.id
    if (messageId === undefined) return 'The session has no messages yet.'
    const made = await replyTo(
      client.call('branchSession', { path: { ...path, messageId }, body: { key: newKey() } })
    )
    if (!made.ok) return changeError(made)
    go(sessionPath(made.body.sessionId))
  }
  return [
    ...hotkeys.map(({ keys, label, run }) => ({
      key: `key ${keys} ${label}`,
      label,
      keys,
      run,
      Icon: keys === 'i' ? InspectorIcon : keys === 'mod+.' ? StopIcon : ToIcon
    })),
    ...(maySend
      ? [{ key: 'branch', label: 'Branch session', run: branch, waits: true as const, Icon: BranchIcon }]
      : []),
    {
      key: 'export',
      label: 'Export session',
      run: () =>
        Object.assign(document.createElement('a'), {
          href: client.href('exportSession', { path }),
          download: ''
        }).click(),
      Icon: DownloadIcon
    },
    {
      key: 'copy link',
      label: 'Copy link',
      run: () => copy(`${window.location.origin}${sessionPath(sessionId)}`),
      Icon: CopyIcon
    },
    { key: 'copy id', label: 'Copy session ID', run: () => copy(sessionId), Icon: CopyIcon }
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
