import { Section } from '#components/ui/section.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** A list of names with a text for each. */
export function Named({
  title,
  items
}: {
  title: string
  items: readonly { name: string; words: string }[]
}) {
  if (items.length === 0) return null
  return (
    <Section title={title}>
      <ul>
        {items.map(({ name, words }) => (
          <li
            key={name}
            className="flex flex-wrap items-baseline gap-x-3 border-b py-2 [overflow-wrap:anywhere]"
          >
            <code className="font-mono text-mono">
              <VisibleText text={name} />
            </code>
            <span className="min-w-0 text-muted">
              <VisibleText text={words} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The parts of a plugin that cannot be used, and why. */
export function Skipped({ skipped }: { skipped: readonly { name: string; reason: string }[] }) {
  if (skipped.length === 0) return null
  return (
    <ul aria-label="Skipped" data-hook="skipped" className="border-l-2 border-l-rail pl-4">
      {skipped.map(({ name, reason }) => (
        <li key={`${name} ${reason}`} className="[overflow-wrap:anywhere]">
          <code className="font-mono text-mono">
            <VisibleText text={name} />
          </code>{' '}
          {name === 'manifest' ? 'has a problem' : 'was skipped'}: <VisibleText text={reason} />
        </li>
      ))}
    </ul>
  )
}
