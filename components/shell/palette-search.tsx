import { Command } from 'cmdk'
import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { useRegisteredHotkeys } from '#components/browser/hotkeys.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { merged } from '#components/waiting/request.ts'
import { useList } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { keySymbols } from './key-symbols.ts'
import { type Found, findAll, useFoundSessions } from './palette-items.tsx'

type PaletteSearchProps = {
  close: () => void
  /** The first content of the field. */
  typed: string
}

/** Keys that move within the transcript, or close a part of the page. */
const inTranscript = new Set(['j', 'k', 'Enter', 'Escape'])

/** The field and the results of the palette. */
export function PaletteSearch({ close, typed }: PaletteSearchProps) {
  const router = useRouter()
  const shell = useWorkspace()
  const [, open] = /^\/sessions\/([^/]+)$/.exec(usePathname()) ?? []
  const { rows, mine = [], held = [] } = useList()
  const isRunning = rows.some(({ id, status }) => id === open && status === 'running')
  const hotkeys = (useRegisteredHotkeys().find(({ group }) => group === 'Session')?.hotkeys ?? []).filter(
    ({ keys, within }) => within === undefined && !inTranscript.has(keys) && (isRunning || keys !== 'mod+.')
  )
  const [query, setQuery] = useState(typed)
  const field = useRef<HTMLInputElement>(null)
  // The dialog is open by now, and has focused its first element.
  useEffect(() => field.current?.focus(), [])
  const groups = findAll({
    query,
    sessions: useFoundSessions(query),
    requests: merged(
      mine,
      held.filter(message => message.mine)
    ),
    shell,
    open: open === undefined ? undefined : decodeURIComponent(open),
    hotkeys,
    go: router.push
  })
  const [fault, setFault] = useState('')
  const select = async ({ run, waits }: Found) => {
    if (!waits) {
      close()
      // The dialog first gives the focus back, which the action can then move.
      requestAnimationFrame(() => void run())
      return
    }
    const error = await run()
    if (typeof error === 'string') setFault(error)
    else close()
  }
  const count = groups.reduce((sum, { found }) => sum + found.length, 0)
  return (
    <Command
      shouldFilter={false}
      loop
      vimBindings={false}
      label="Find a session, agent or action"
      className="flex min-h-0 flex-col"
    >
      <Command.Input
        ref={field}
        value={query}
        onValueChange={setQuery}
        placeholder="Find a session, agent or action"
        className="h-12 shrink-0 border-b bg-transparent px-4 text-person outline-none"
      />
      <Command.List label="Results" className="min-h-0 overflow-y-auto pb-2">
        {groups.map(({ name, found }) => (
          <Command.Group
            key={name}
            heading={name}
            className="[&>[cmdk-group-heading]]:px-4 [&>[cmdk-group-heading]]:pt-3 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-mono [&>[cmdk-group-heading]]:text-muted"
          >
            {found.map(one => (
              <Command.Item
                key={one.key}
                value={one.key}
                onSelect={() => void select(one)}
                className="tap flex h-9 cursor-pointer items-center gap-3 px-4 aria-selected:bg-panel [&>svg]:text-muted"
              >
                <one.Icon />
                <Matched text={one.label} query={query} />
                {one.beside === undefined ? null : (
                  <span className="max-w-1/3 shrink-0 truncate text-muted">{one.beside}</span>
                )}
                {one.keys === undefined ? null : (
                  <kbd className="shrink-0 font-mono text-mono text-muted">{keySymbols(one.keys)}</kbd>
                )}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p role="alert" className="px-4 py-3 text-fail empty:hidden">
        {fault}
      </p>
      <p aria-hidden="true" className="flex gap-4 border-t px-4 py-2 text-mono text-muted max-mid:hidden">
        <span>↵ open</span>
        <span>esc close</span>
      </p>
      <p role="status" className={count > 0 ? 'sr-only' : 'px-4 py-3 text-muted'}>
        {count > 0 ? `${count} found` : `No results for “${query.trim()}”.`}
      </p>
    </Command>
  )
}

/** The label of an entry. The words of the query are semibold. */
function Matched({ text, query }: { text: string; query: string }) {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .map(word => word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'))
  if (words.length === 0) return <CutText text={text} className="flex-1" />
  return (
    <span title={text} className="min-w-0 flex-1 truncate">
      {text.split(new RegExp(`(${words.join('|')})`, 'i')).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
          <mark key={at} className="bg-transparent font-semibold text-ink">
            {part}
          </mark>
        )
      )}
    </span>
  )
}
