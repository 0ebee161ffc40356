import { useSearchParams } from 'next/navigation'

export const sections = ['setup', 'tools', 'approvals', 'limits', 'versions', 'json', 'try'] as const
export type Section = (typeof sections)[number]

/** The address of a section of the open agent. */
export const sectionHref = (section: Section) => (section === 'setup' ? '?' : `?section=${section}`)

/** Returns the section that the URL names, and a function that opens another one without loading the page. */
export function useSection(): [Section, (section: Section) => void] {
  const named = useSearchParams().get('section')
  const section = sections.find(one => one === named) ?? 'setup'
  const open = (next: Section) =>
    window.history.replaceState(
      null,
      '',
      `${window.location.pathname}${next === 'setup' ? '' : sectionHref(next)}`
    )
  return [section, open]
}
