import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type TabLinksProps = {
  label: string
  tabs: ReadonlyArray<{ href: string; label: string; hook?: string; mark?: ReactNode }>
  /** The `href` of the open page. */
  open: string
  'data-hook'?: string
}

/** The tabs of a page: links to related pages. */
export const TabLinks = ({ label, tabs, open, ...nav }: TabLinksProps) => (
  <nav {...nav} aria-label={label} className="flex gap-6 overflow-x-auto [scrollbar-width:none]">
    {tabs.map(({ href, label, hook, mark }) => (
      <Link
        key={href}
        href={href}
        data-hook={hook}
        aria-current={href === open ? 'page' : undefined}
        className="tap tab flex h-10 shrink-0 items-center gap-1.5"
      >
        {mark}
        <span className="steady" data-text={label}>
          {label}
        </span>
      </Link>
    ))}
  </nav>
)
