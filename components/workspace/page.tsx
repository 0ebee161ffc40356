import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type PageProps = {
  title: string
  children: ReactNode
  above?: { href: string; label: string }
  actions?: ReactNode
  /** Tabs that link to related pages. */
  tabs?: ReactNode
}

/**
 * A page beside the list, with title, actions and content. The link back is visible on small screens, and on
 * all screens if `above` is set.
 */
export function Page({ title, children, above, actions, tabs }: PageProps) {
  const back = above ?? { href: '/sessions', label: 'Sessions' }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 border-b px-5 py-1 mid:px-8">
        <Link
          href={back.href}
          className={`tap inline-flex items-center text-muted ${above ? '' : 'mid:hidden'}`}
        >
          ‹ {back.label}
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-title font-semibold">{title}</h1>
        {actions}
      </header>
      {tabs}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="px-5 py-6 mid:px-8">{children}</div>
      </div>
    </div>
  )
}
