import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type FrameProps = {
  title: ReactNode
  /** With `narrow`, the link is hidden if a list of pages is beside the page. */
  above?: { href: string; label: string; narrow?: true } | undefined
  actions?: ReactNode
  /** Tabs that link to related pages. */
  tabs?: ReactNode
}

/** The column of each page: at most 1,120 px, centered. Header, tabs and content use it, so they align. */
const column = 'mx-auto w-full max-w-[1184px] px-5 mid:px-8'

/**
 * A page beside the list, with title, actions and content. The link back is visible on small screens, and on
 * all screens if `above` is set. The header stays at the top while the content scrolls.
 */
export function Page({ children, ...frame }: FrameProps & { children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto scroll-pt-28 scroll-pb-16">
      <div className="sticky top-0 z-20 bg-ground">
        <Header {...frame} />
      </div>
      <div data-hook="page-content" className={`${column} py-6`}>
        {children}
      </div>
    </div>
  )
}

type SplitPageProps = FrameProps & {
  list: ReactNode
  /** The selected item. Undefined: none is selected. */
  detail: ReactNode | undefined
  /** Shown instead of the detail, on wide screens only, if nothing is selected. */
  empty: ReactNode
  /** The accessible name of the detail. */
  label: string
  onBack: () => void
}

/**
 * A page with a list and the selected item. From 1,280 px up they are side by side, and each scrolls. On smaller
 * screens, the selected item replaces the list, with a button that leads back.
 */
export function SplitPage({ list, detail, empty, label, onBack, ...frame }: SplitPageProps) {
  const isOpen = detail !== undefined
  return (
    <div className="flex h-full flex-col">
      <Header {...frame} {...(isOpen && { onBack })} />
      <div
        data-hook="page-content"
        className={`${column} grid min-h-0 flex-1 grid-rows-1 split:grid-cols-[minmax(320px,2fr)_minmax(0,3fr)]`}
      >
        <div className={`min-h-0 overflow-y-auto py-4 split:block split:pr-4 ${isOpen ? 'hidden' : ''}`}>
          {list}
        </div>
        <section
          aria-label={label}
          className={`min-h-0 overflow-y-auto py-4 split:block split:border-l split:pl-8 ${isOpen ? '' : 'hidden'}`}
        >
          {detail ?? empty}
        </section>
      </div>
    </div>
  )
}

/** With `onBack`, the way back to the list takes the place of the link and the title on smaller screens. */
function Header({ title, above, actions, tabs, onBack }: FrameProps & { onBack?: () => void }) {
  const back = above ?? { href: '/sessions', label: 'Sessions' }
  return (
    <div className="shrink-0 border-b">
      <header
        data-hook="page-header"
        className={`${column} flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2`}
      >
        {onBack === undefined ? null : (
          <button
            type="button"
            onClick={onBack}
            data-hook="back-to-list"
            className="tap inline-flex flex-1 items-center text-muted underline decoration-rail underline-offset-3 split:hidden"
          >
            ‹ {title}
          </button>
        )}
        <Link
          href={back.href}
          className={`tap inline-flex items-center text-muted ${onBack ? 'max-split:hidden' : ''} ${above?.narrow ? 'split:hidden' : above ? '' : 'mid:hidden'}`}
        >
          ‹ {back.label}
        </Link>
        <h1
          tabIndex={-1}
          className={`min-w-0 flex-1 truncate text-title font-semibold outline-none ${onBack ? 'max-split:sr-only' : ''}`}
        >
          {title}
        </h1>
        {actions}
      </header>
      {tabs === undefined ? null : <div className={column}>{tabs}</div>}
    </div>
  )
}
