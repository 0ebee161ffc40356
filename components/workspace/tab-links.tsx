import { Link } from './link.tsx'

type TabLinksProps = {
  label: string
  tabs: ReadonlyArray<{ href: string; label: string }>
  /** The `href` of the open page. */
  open: string
  'data-hook'?: string
}

/** The tabs of a page: links to related pages. */
export const TabLinks = ({ label, tabs, open, ...hook }: TabLinksProps) => (
  <nav {...hook} aria-label={label} className="flex gap-6 overflow-x-auto [scrollbar-width:none]">
    {tabs.map(({ href, label }) => (
      <Link
        key={href}
        href={href}
        aria-current={href === open ? 'page' : undefined}
        data-text={label}
        className="tap tab steady h-10 shrink-0"
      >
        {label}
      </Link>
    ))}
  </nav>
)
