'use client'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import * as Radix from 'radix-ui/dialog'
import { useState } from 'react'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { findAll, useFoundSessions } from './palette-items.ts'

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The command palette (⌘K). It finds sessions, agents and actions. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-ground opacity-75" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-sm border bg-panel shadow-overlay outline-none"
        >
          <Radix.Title className="sr-only">Find</Radix.Title>
          <Finder close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Finder({ close }: { close: () => void }) {
  const router = useRouter()
  const shell = useWorkspace()
  const [query, setQuery] = useState('')
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
  )
}
