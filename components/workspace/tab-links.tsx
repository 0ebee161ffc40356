import { Link } from './link.tsx'

type TabLinksProps = {
  label: string
  tabs: ReadonlyArray<{ href: string; label: string; hook?: string }>
  /** The `href` of the open page. */
  open: string
  'data-hook'?: string
}

/** The tabs of a page: links to related pages. */
export const TabLinks = ({ label, tabs, open, ...nav }: TabLinksProps) => (
  <nav {...nav} aria-label={label} className="flex gap-6 overflow-x-auto [scrollbar-width:none]">
    {tabs.map(({ href, label, hook }) => (
      <Link
        key={href}
        href={href}
        data-hook={hook}
        aria-current={href === open ? 'page' : undefined}
        data-text={label}
        className="tap tab steady h-10 shrink-0"
      >
        {label}
      </Link>
    ))}
  </nav>
)
