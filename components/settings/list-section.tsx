import type { ComponentProps, ReactNode } from 'react'
import { AddDialog } from '#components/ui/add-dialog.tsx'
import { Rows } from '#components/workspace/rows.tsx'
import { OwnerSection, type SettingSection } from './setting-section.tsx'

type ListSectionProps<Entry> = Omit<
  ComponentProps<typeof SettingSection>,
  'action' | 'isEmpty' | 'children'
> & {
  /** The entries. Undefined if the user is not an owner. */
  saved: readonly Entry[] | undefined
  /** The button that adds an entry, and the form in its dialog. */
  add: Pick<ComponentProps<typeof AddDialog>, 'act' | 'hook'>
  form: (close: () => void) => ReactNode
  empty: ReactNode
  /** The secret of a new entry. */
  secret?: ReactNode
  fault: string
  row: (entry: Entry) => ReactNode
}

/** A section with a list that owners can add to. */
export const ListSection = <Entry,>(props: ListSectionProps<Entry>) => {
  const { saved, add, form, empty, secret, fault, row, ...section } = props
  return (
    <OwnerSection
      {...section}
      saved={saved}
      isEmpty={saved?.length === 0}
      action={() => <AddDialog {...add}>{form}</AddDialog>}
    >
      {entries => (
        <>
          {secret}
          <p role="alert" className="text-fail empty:hidden">
            {fault}
          </p>
          {entries.length === 0 ? empty : <Rows aria-label={section.title}>{entries.map(row)}</Rows>}
        </>
      )}
    </OwnerSection>
  )
}
