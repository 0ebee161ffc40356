'use client'
import { clsx } from 'clsx'
import { useState } from 'react'
import { Json } from '#components/ui/json.tsx'

type PromptPartProps = {
  /** Identifies the part for scripts and tests: `instructions`, the name of a tool or a role. */
  part: string
  name: string
  /** The first 300 characters are shown next to the name. */
  words: string
  value: unknown
  /** Shows the name in monospace, because it is an identifier. */
  mono?: boolean
  /** Marks the part as new in this step and opens it. */
  fresh?: boolean
}

/** A part of a prompt, as a line that opens to the complete value. */
export function PromptPart({ part, name, words, value, mono = false, fresh = false }: PromptPartProps) {
  const [open, setOpen] = useState(fresh)
  return (
    <div
      data-part={part}
      data-new={fresh || undefined}
      className={clsx(
        'border-b [content-visibility:auto] [contain-intrinsic-block-size:32px]',
        fresh && 'border-l-2 border-l-ink'
      )}
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={clsx(
          'tap flex h-8 w-full items-center gap-3 pr-4 text-left outline-offset-[-2px]',
          fresh ? 'pl-[14px]' : 'pl-4'
        )}
      >
        <span className={clsx('max-w-40 min-w-20 shrink-0 truncate', mono && 'font-mono text-mono')}>
          {name}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">{words.slice(0, 300)}</span>
        {fresh ? <span className="shrink-0 text-muted">new</span> : null}
      </button>
      {open ? (
        <div className={clsx('pr-4 pb-3', fresh ? 'pl-[14px]' : 'pl-4')}>
          <Json label={name} value={value} />
        </div>
      ) : null}
    </div>
  )
}
