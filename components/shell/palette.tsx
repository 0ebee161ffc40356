'use client'
import { useRouter } from 'next/navigation'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { BareInput } from '#components/ui/input.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { type Found, findAll, useFoundSessions } from './palette-items.ts'

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
  const id = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const sessions = useFoundSessions(query)
  const found = findAll(query, sessions, shell, router.push)
  const active = Math.min(at, found.length - 1)

  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  const choose = (item: Found | undefined) => {
    if (item === undefined) return
    close()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: found.length - 1 }[event.key]
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(found[active])
    } else if (to !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((to + found.length) % found.length)
    }
  }

  return (
    <>
      <BareInput
        role="combobox"
        aria-label="Find a session, agent or action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        spellCheck={false}
        value={query}
        onChange={event => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder="Find a session, agent or action"
        className="h-12 shrink-0 border-b bg-transparent px-4 text-person outline-none"
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto py-1">
        {found.map((item, index) => (
          <div
            key={item.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(item)}
            onKeyDown={onKeyDown}
            className="tap flex h-9 cursor-pointer items-center gap-4 px-4 aria-selected:bg-ground"
          >
            <span className="min-w-0 flex-1 truncate">{item.label}</span>
            <span className="shrink-0 text-muted">{item.what}</span>
          </div>
        ))}
      </div>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 pb-3 text-muted'}>
        {found.length > 0 ? `${found.length} found` : `No results for “${query.trim()}”.`}
      </p>
    </>
  )
}
