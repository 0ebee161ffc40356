import type { ComponentProps, ReactNode } from 'react'
import { Link } from './link.tsx'

/** A list of rows with hairlines. */
export const Rows = (props: ComponentProps<'ul'>) => <ul data-rows {...props} className="border-t" />

type RowProps = Omit<ComponentProps<'li'>, 'className' | 'about'> & {
  /** A picture before the name. */
  mark?: ReactNode
  name: ReactNode
  /** The page of the entry. The whole row leads to it. */
  href?: string | undefined
  /** A muted line below the name. */
  about?: ReactNode
  /** Buttons and figures at the right. */
  actions?: ReactNode
}

/** A row of a list: name, a muted line, and actions at the right. `children` are below them. */
export const Row = ({ mark, name, href, about, actions, children, ...props }: RowProps) => (
  <li
    {...props}
    className={`border-b ${href === undefined ? '' : 'relative isolate before:absolute before:-inset-x-3 before:inset-y-0 before:-z-10 hover:before:bg-panel'}`}
  >
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      {mark}
      <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <p className="font-semibold">
          {href === undefined ? (
            name
          ) : (
            <Link href={href} className="no-underline after:absolute after:inset-0">
              {name}
            </Link>
          )}
        </p>
        {about === undefined ? null : <div className="text-muted">{about}</div>}
      </div>
      {actions === undefined ? null : (
        <div
          className={`relative flex flex-wrap items-center gap-2 tabular-nums ${mark === undefined ? '' : 'max-mid:basis-full max-mid:pl-12'}`}
        >
          {actions}
        </div>
      )}
    </div>
    {children}
  </li>
)
