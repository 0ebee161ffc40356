import { useEffect, useRef } from 'react'
import type { EditedDraft } from './draft/use-agent-draft.ts'
import { type Section, sectionHref } from './use-section.ts'

type SectionNavProps = {
  draft: EditedDraft
  mayTry: boolean
  section: Section
  select: (section: Section) => void
}

/** Links to the sections of an agent. Small screens have one more, for the place to try it. */
export function SectionNav({ draft: { agent, of }, mayTry, section, select }: SectionNavProps) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of the open section changes with it
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  const { chat, builtIn } = of.values
  const tools = Object.keys(builtIn).length + (Array.isArray(chat.tools) ? chat.tools.length : 0)
  const isChat = agent.type === 'chat'
  const links: { name: Section; label: string; count?: number; className?: string }[] = [
    { name: 'setup', label: 'Setup' },
    ...(isChat
      ? ([
          { name: 'tools', label: 'Tools', count: tools },
          { name: 'approvals', label: 'Approvals' }
        ] as const)
      : []),
    { name: 'limits', label: isChat ? 'Limits' : 'Messages' },
    ...(mayTry ? [{ name: 'try', label: isChat ? 'Try' : 'Test', className: 'split:hidden' } as const] : []),
    ...(isChat ? [{ name: 'tests', label: 'Tests' } as const] : []),
    { name: 'versions', label: 'Versions' },
    { name: 'json', label: 'Edit as JSON', className: 'ml-auto' }
  ]
  return (
    <div className="col-span-full min-w-0 border-b">
      <nav
        ref={nav}
        aria-label="Sections"
        // On small screens, the right edge fades because there are more links.
        className="flex items-stretch gap-x-4 overflow-x-auto overflow-y-hidden px-5 [scrollbar-width:none] max-mid:pr-10 max-mid:[mask-image:linear-gradient(to_left,transparent,black_40px)] mid:gap-x-5 mid:px-8"
      >
        {links.map(({ name, label, count = 0, className = '' }) => (
          <a
            key={name}
            href={sectionHref(name)}
            data-hook={`section-${name}`}
            aria-current={name === section ? 'page' : undefined}
            onClick={event => {
              if (event.metaKey || event.ctrlKey) return
              event.preventDefault()
              select(name)
            }}
            className={`tap inline-flex h-10 shrink-0 items-center gap-1.5 border-b-2 border-b-transparent text-muted no-underline -outline-offset-2 hover:text-ink aria-[current]:border-b-ink aria-[current]:font-semibold aria-[current]:text-ink ${className}`}
          >
            {label}
            {count === 0 ? null : <span className="font-normal text-muted tabular-nums">{count}</span>}
          </a>
        ))}
      </nav>
    </div>
  )
}
