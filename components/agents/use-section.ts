import { useSearchParams } from 'next/navigation'

export const sections = ['setup', 'tools', 'approvals', 'limits', 'tests', 'versions', 'json', 'try'] as const
export type Section = (typeof sections)[number]

/** The address of a section of the open agent, or of a test set in it. */
export const sectionHref = (section: Section, set?: string) =>
  section === 'setup' ? '?' : `?section=${section}${set === undefined ? '' : `&set=${set}`}`

/** Shows a section, or a test set in it, without loading the page. */
export const showSection = (section: Section, set?: string) =>
  window.history.replaceState(
    null,
    '',
    `${window.location.pathname}${section === 'setup' ? '' : sectionHref(section, set)}`
  )

/** Returns the section that the URL names. */
export function useSection(): Section {
  const named = useSearchParams().get('section')
  return sections.find(one => one === named) ?? 'setup'
}
