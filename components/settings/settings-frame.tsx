'use client'
import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { sectionAt, settingGroups } from './sections.ts'

/**
 * The settings: a list of sections beside the open one. On smaller screens, the list is a page, and each section has a
 * link back to it.
 */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const path = usePathname()
  const isList = path === '/settings'
  return (
    // The save bar of a form is at its lower edge.
    <div className="relative h-full overflow-clip">
      <Page
        title={
          <span className="split:grid split:grid-cols-[168px_minmax(0,1fr)] split:items-baseline split:gap-10">
            <span
              aria-hidden={isList ? undefined : true}
              className={clsx(
                'split:text-ui split:font-normal split:text-muted',
                !isList && 'max-split:hidden'
              )}
            >
              Settings
            </span>
            <span className={clsx(isList && 'max-split:hidden')}>{sectionAt(isList ? profile : path)}</span>
          </span>
        }
        above={isList ? undefined : { href: '/settings', label: 'Settings', narrow: true }}
      >
        <div className="split:grid split:grid-cols-[168px_minmax(0,1fr)] split:gap-10">
          <nav
            aria-label="Settings"
            data-hook="setting-sections"
            className={clsx(
              'flex flex-col gap-5 split:sticky split:top-[81px] split:-ml-2 split:max-h-[calc(100dvh-105px)] split:gap-3 split:self-start split:overflow-y-auto',
              !isList && 'max-split:hidden'
            )}
          >
            {settingGroups.map(({ label, sections }) => (
              <div key={label}>
                <h2 className="pb-1 text-muted split:px-2">{label}</h2>
                <ul className="max-split:border-t">
                  {sections.map(({ href, label }) => (
                    <li key={href}>
                      <Link
                        href={href}
                        aria-current={path === href || (isList && href === profile) ? 'page' : undefined}
                        className="tap flex h-11 items-center rounded-sm no-underline outline-offset-[-2px] hover:bg-panel max-split:border-b max-split:font-semibold split:h-7 split:px-2 split:aria-[current]:bg-panel split:aria-[current]:font-semibold"
                      >
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div className={clsx('flex min-w-0 flex-col gap-10 pb-14', isList && 'max-split:hidden')}>
            {children}
          </div>
        </div>
      </Page>
    </div>
  )
}

/** The section beside the list, if none is selected. */
const profile = '/settings/profile'
