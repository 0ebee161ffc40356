import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { Modal } from '#components/ui/modal.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { findAll, useFoundSessions } from './palette-items.ts'

/** The command palette (⌘K). It finds sessions, agents and actions. */
export function Palette({ close }: { close: () => void }) {
  const id = useId()
  const router = useRouter()
  const shell = useWorkspace()
  const [query, setQuery] = useState('')
  const found = findAll(query, useFoundSessions(query), shell, router.push)
  return (
    <Modal
      onClose={close}
      labelledBy={id}
      className="mx-auto mt-[12dvh] flex max-h-[70dvh] w-[min(560px,calc(100vw-24px))] max-w-none flex-col rounded-sm"
    >
      <h2 id={id} className="sr-only">
        Find
      </h2>
      <Command
        shouldFilter={false}
        loop
        vimBindings={false}
        label="Find a session, agent or action"
        className="flex min-h-0 flex-col"
      >
        <Command.Input
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
              className="tap flex h-9 cursor-pointer items-center gap-4 px-4 aria-selected:bg-ground"
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
    </Modal>
  )
}
