import { Link } from '#components/workspace/link.tsx'

const tabs = [
  { href: '/activity', label: 'Signals' },
  { href: '/activity/deliveries', label: 'Deliveries' }
]

/** Links to the pages about what sessions receive and send. */
export const ActivityTabs = ({ open }: { open: string }) => (
  <nav aria-label="Activity" data-hook="activity-tabs" className="flex gap-6">
    {tabs.map(({ href, label }) => (
      <Link
        key={href}
        href={href}
        aria-current={href === open ? 'page' : undefined}
        className="tap flex h-10 items-center border-b-2 border-b-transparent text-muted no-underline hover:text-ink aria-[current]:border-b-ink aria-[current]:font-semibold aria-[current]:text-ink"
      >
        {label}
      </Link>
    ))}
  </nav>
)
