import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { findAll, useFoundSessions } from './palette-items.ts'

type PaletteSearchProps = {
  close: () => void
  /** The first content of the field. */
  typed: string
}

/** The field and the results of the palette. */
export function PaletteSearch({ close, typed }: PaletteSearchProps) {
  const router = useRouter()
  const shell = useWorkspace()
  const [query, setQuery] = useState(typed)
  const field = useRef<HTMLInputElement>(null)
  // The dialog is open by now, and has focused its first element.
  useEffect(() => field.current?.focus(), [])
  const found = findAll(query, useFoundSessions(query), shell, router.push)
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
      <Command.List label="Results" className="min-h-0 overflow-y-auto py-1">
        {found.map(({ key, label, what, run }) => (
          <Command.Item
            key={key}
            value={key}
            onSelect={() => {
              close()
              run()
            }}
            className="tap flex h-9 cursor-pointer items-center gap-4 px-4 aria-selected:bg-panel"
          >
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="shrink-0 text-muted">{what}</span>
          </Command.Item>
        ))}
      </Command.List>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 pb-3 text-muted'}>
        {found.length > 0 ? `${found.length} found` : `No results for “${query.trim()}”.`}
      </p>
    </Command>
  )
}
