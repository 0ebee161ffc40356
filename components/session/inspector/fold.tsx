import { type ReactNode, useState } from 'react'
import { ChevronIcon } from '#components/ui/icons.tsx'

type FoldProps = {
  name: ReactNode
  /** The name is an identifier. */
  mono?: boolean
  /** The start of the content, next to the name. The first 300 characters are shown. */
  note?: string
  /** Figures at the right. */
  end?: ReactNode
  /** A heading above rows, such as "Tools". */
  heading?: boolean
  /** Marks the row as new in this step. */
  fresh?: boolean
  /** It is open at first. */
  begin?: boolean
  /** Identifies the row: `instructions`, the name of a tool or a role. Scripts and tests use it. */
  part?: string
  hook?: string
  children: ReactNode
}

/** A row of the inspector that opens to its content. */
export function Fold({
  name,
  mono,
  note,
  end,
  heading = false,
  fresh = false,
  begin = false,
  part,
  hook,
  children
}: FoldProps) {
  const [open, setOpen] = useState(begin)
  const Head = heading ? 'h3' : 'div'
  return (
    <div
      data-part={part}
      data-new={fresh || undefined}
      className={heading ? '' : '[content-visibility:auto] [contain-intrinsic-block-size:33px]'}
    >
      <Head className={`border-b ${fresh ? 'border-l-2 border-l-ink' : ''}`}>
        <button
          type="button"
          data-hook={hook}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={`tap flex min-h-8 w-full items-center gap-2 pr-4 text-left outline-offset-[-2px] hover:bg-ground ${fresh ? 'pl-2.5' : 'pl-3'}`}
        >
          <span className={`shrink-0 text-muted ${open ? 'rotate-90' : ''}`}>
            <ChevronIcon />
          </span>
          <span
            className={`max-w-1/2 shrink-0 truncate ${heading ? 'font-semibold' : 'min-w-20'} ${mono ? 'font-mono text-mono' : ''}`}
          >
            {name}
          </span>
          <span className="min-w-0 flex-1 truncate text-muted">{note?.slice(0, 300)}</span>
          {end === undefined ? null : <span className="shrink-0 text-muted tabular-nums">{end}</span>}
        </button>
      </Head>
      {open ? children : null}
    </div>
  )
}
