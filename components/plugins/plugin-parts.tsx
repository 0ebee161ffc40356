import { type ReactNode, useId } from 'react'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** A part of a plugin's page, with a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h2 id={id} className="text-title font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

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
    <Part title={title}>
      <ul className="border-t">
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
    </Part>
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
