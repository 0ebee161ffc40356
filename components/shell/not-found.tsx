import type { ReactNode } from 'react'
import { Link } from '#components/workspace/link.tsx'

type NotFoundProps = { title: string; children: ReactNode; action?: ReactNode }

/** Shown if a page cannot be shown: the product's mark, the reason, an optional action, and a link to the sessions. */
export function NotFound({ title, children, action }: NotFoundProps) {
  return (
    <div className="flex h-full min-h-[60dvh] flex-col items-center justify-center gap-2 px-5 text-center">
      <svg width="16" height="56" viewBox="0 0 16 56" fill="none" strokeWidth="2" aria-hidden="true">
        <path d="M8 0v23m0 10v23" className="stroke-rail" />
        <circle cx="8" cy="28" r="5" className="stroke-ink" />
      </svg>
      <h1 data-hook="lost" className="text-title font-semibold">
        {title}
      </h1>
      <p className="max-w-[52ch] text-balance text-muted">{children}</p>
      <p className="flex items-center gap-4 pt-2">
        {action}
        <Link href="/sessions" className="tap inline-flex items-center">
          All sessions
        </Link>
      </p>
    </div>
  )
}
