'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { settingGroups } from './sections.ts'

/** The settings: a list of sections beside the open one. On smaller screens, the list is a row above it. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const path = usePathname()
  const list = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another current link
  useEffect(() => {
    const row = list.current
    const current = row?.querySelector<HTMLElement>('[aria-current]')
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [path])
  return (
    <Page title="Settings">
      <div className="split:grid split:grid-cols-[168px_minmax(0,1fr)] split:gap-10">
        <nav
          ref={list}
          aria-label="Settings"
          data-hook="setting-sections"
          className="relative -mx-5 -mt-6 mb-6 flex gap-5 overflow-x-auto border-b px-5 [scrollbar-width:none] mid:-mx-8 mid:px-8 split:sticky split:top-[81px] split:m-0 split:-ml-2 split:max-h-[calc(100dvh-105px)] split:flex-col split:self-start split:overflow-y-auto split:border-0 split:p-0"
        >
          {settingGroups.map(({ label, sections }) => (
            <div key={label} className="contents split:block">
              <h2 className="hidden px-2 pb-1 text-muted split:block">{label}</h2>
              <ul className="contents split:block">
                {sections.map(({ href, label }) => (
                  <li key={href} className="shrink-0">
                    <Link
                      href={href}
                      aria-current={path === href ? 'page' : undefined}
                      className="tap flex h-10 items-center border-b-2 border-transparent text-muted no-underline hover:text-ink aria-[current]:border-ink aria-[current]:font-semibold aria-[current]:text-ink split:h-7 split:rounded-sm split:border-b-0 split:px-2 split:text-ink split:outline-offset-[-2px] split:hover:bg-panel split:aria-[current]:bg-panel"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="flex min-w-0 flex-col gap-10">{children}</div>
      </div>
    </Page>
  )
}
