import type { ComponentProps, ReactNode } from 'react'

type EmptyProps = Omit<ComponentProps<'div'>, 'title' | 'className'> & {
  title: string
  /** A sentence about what the list is for. */
  children?: ReactNode
  /** The button that adds the first entry. */
  action?: ReactNode
}

/** The empty state of a list: a station without a train, a title, a sentence and a button. */
export const Empty = ({ title, children, action, ...props }: EmptyProps) => (
  <div {...props} className="flex flex-col items-center px-5 pt-10 pb-8 text-center outline-none">
    <span
      aria-hidden="true"
      className="relative mb-4 flex w-24 justify-center before:absolute before:inset-x-0 before:top-[7px] before:h-0.5 before:bg-line"
    >
      <span className="relative size-4 rounded-full border-2 border-rail bg-ground" />
    </span>
    <p className="text-person font-semibold">{title}</p>
    {children === undefined ? null : <p className="max-w-[52ch] text-balance text-muted">{children}</p>}
    {action === undefined ? null : <div className="max-w-full pt-4">{action}</div>}
  </div>
)
