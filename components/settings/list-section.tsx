import { type ComponentProps, type ReactNode, useState } from 'react'
import { AddDialog } from '#components/ui/add-dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Rows } from '#components/workspace/rows.tsx'
import { ShownOnce } from '#components/workspace/shown-once.tsx'
import { OwnerSection, type SettingSection } from './setting-section.tsx'

type ListSectionProps<Entry> = Omit<
  ComponentProps<typeof SettingSection>,
  'action' | 'isEmpty' | 'children'
> & {
  /** The entries. Undefined if the user is not an owner. */
  saved: readonly Entry[] | undefined
  /** The button that adds an entry, and the form in its dialog. */
  add: Pick<ComponentProps<typeof AddDialog>, 'act' | 'hook'>
  form: (close: () => void, onCreated: (secret: string) => void) => ReactNode
  /** The kind of secret that a new entry has. */
  what?: string
  empty: ReactNode
  fault: string
  row: (entry: Entry) => ReactNode
}

/** A section with a list that owners can add to. */
export function ListSection<Entry>(props: ListSectionProps<Entry>) {
  const { saved, add, form, what, empty, fault, row, ...section } = props
  const [secret, setSecret] = useState<string>()
  return (
    <OwnerSection
      {...section}
      saved={saved}
      isEmpty={saved?.length === 0}
      action={() => (
        <AddDialog {...add}>
          {close =>
            form(close, created => {
              setSecret(created)
              close()
            })
          }
        </AddDialog>
      )}
    >
      {entries => (
        <>
          {secret === undefined ? null : (
            <ShownOnce what={what} secret={secret} close={() => setSecret(undefined)} />
          )}
          <Fault>{fault}</Fault>
          {entries.length === 0 ? empty : <Rows aria-label={section.title}>{entries.map(row)}</Rows>}
        </>
      )}
    </OwnerSection>
  )
}
