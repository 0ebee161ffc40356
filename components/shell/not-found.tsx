import type { ReactNode } from 'react'
import { Link } from '#components/workspace/link.tsx'

type NotFoundProps = { title: string; children: ReactNode; action?: ReactNode }

/** Shown if a page cannot be shown: the reason, an optional action, and a link to the sessions. */
export function NotFound({ title, children, action }: NotFoundProps) {
  return (
    <div className="flex h-full min-h-[60dvh] flex-col justify-center gap-2 px-5 mid:px-18">
      <h1 data-hook="lost" className="text-title font-semibold">
        {title}
      </h1>
      <p className="max-w-[68ch]">{children}</p>
      <p className="flex items-center gap-4 pt-2">
        {action}
        <Link href="/sessions" className="tap inline-flex items-center">
          All sessions
        </Link>
      </p>
    </div>
  )
}
