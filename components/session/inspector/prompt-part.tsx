import { useState } from 'react'
import { Json } from '#components/ui/json.tsx'

type PromptPartProps = {
  /** Identifies the part: `instructions`, the name of a tool or a role. Scripts and tests use it. */
  part: string
  /** Shown instead of the identifier, which is in monospace. */
  label?: string
  /** The first 300 characters are shown next to the name. */
  words: string
  value: unknown
  /** Marks the part as new in this step and opens it. */
  fresh?: boolean
}

/** A part of a prompt, as a line that opens to the complete value. */
export function PromptPart({ part, label, words, value, fresh = false }: PromptPartProps) {
  const [open, setOpen] = useState(fresh)
  const name = label ?? part
  const font = label === undefined ? 'font-mono text-mono' : ''
  const inset = fresh ? 'pl-[14px]' : 'pl-4'
  return (
    <div
      data-part={part}
      data-new={fresh || undefined}
      className={`border-b [content-visibility:auto] [contain-intrinsic-block-size:32px] ${fresh ? 'border-l-2 border-l-ink' : ''}`}
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`tap flex h-8 w-full items-center gap-3 pr-4 text-left outline-offset-[-2px] ${inset}`}
      >
        <span className={`w-40 max-w-2/5 shrink-0 truncate ${font}`}>{name}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{words.slice(0, 300)}</span>
        {fresh ? <span className="shrink-0 text-muted">new</span> : null}
      </button>
      {open ? (
        <div className={`pr-4 pb-3 ${inset}`}>
          <Json label={name} value={value} />
        </div>
      ) : null}
    </div>
  )
}
