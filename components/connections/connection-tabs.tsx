'use client'
import { usePathname } from 'next/navigation'
import { Link } from '#components/workspace/link.tsx'

const tabs = [
  { href: '/connections', label: 'Services' },
  { href: '/connections/mcp', label: 'MCP servers' }
]

/** The pages of the connections. */
export function ConnectionTabs() {
  const path = usePathname()
  return (
    <nav aria-label="Connections" className="flex gap-5">
      {tabs.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? 'page' : undefined}
          className="tap flex h-10 items-center border-b-2 border-transparent text-muted no-underline hover:text-ink aria-[current]:border-ink aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
