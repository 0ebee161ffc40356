import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'

/** The problems of the first pages of a wiki, as many as the server checks at once. */
export type WikiProblems = {
  errors: readonly { title: string; kind: string; detail: string }[]
  checked: number
  total: number
}

/** Lists dead links, unknown macros and other problems of a wiki, by page. */
export function WikiProblemList({ wiki, problems }: { wiki: string; problems: WikiProblems }) {
  const { errors, checked, total } = problems
  const titles = [...new Set(errors.map(({ title }) => title))]
  return (
    <Section title="Problems" hook="wiki-problems">
      <p className="text-muted">
        {errors.length === 0
          ? 'No broken links or unknown macros.'
          : `Found on ${titles.length} of ${checked} checked pages.`}
        {checked < total ? ` ${total - checked} pages were not checked.` : ''}
      </p>
      <ul className="empty:hidden">
        {titles.map(title => (
          <li key={title} className="border-b py-2">
            <Link
              href={`/wikis/${wiki}?tiddler=${encodeURIComponent(title)}`}
              prefetch={false}
              className="font-semibold no-underline hover:underline"
            >
              {title}
            </Link>
            {errors
              .filter(error => error.title === title)
              .map(({ kind, detail }) => (
                <p key={`${kind} ${detail}`} className="text-muted [overflow-wrap:anywhere]">
                  {kind.replaceAll('-', ' ')}: {detail}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
