import { type ComponentProps, type ReactNode, useState } from 'react'
import { useNow } from '#components/browser/use-now.ts'
import { AddDialog } from '#components/ui/add-dialog.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { ShownOnce } from '#components/workspace/shown-once.tsx'
import { OwnerSection, type SettingSection } from './setting-section.tsx'
import { useChange } from './use-change.ts'

type ListedRow = Pick<ComponentProps<typeof Row>, 'name' | 'about'> & {
  key: string
  /** A muted figure before the button. */
  figure?: string
  /** The button that removes the entry, after a confirmation. */
  remove: Omit<ComponentProps<typeof ConfirmButton>, 'onAct'> & {
    'data-hook': string
    request: () => Promise<unknown>
  }
}

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
  /** Returns the row of an entry. `now` is undefined during hydration. */
  row: (entry: Entry, now: number | undefined) => ListedRow
}

/** A section with a list that owners can add to and remove from. */
export function ListSection<Entry>(props: ListSectionProps<Entry>) {
  const { saved, add, form, what, empty, row, ...section } = props
  const [secret, setSecret] = useState<string>()
  const { change, fault } = useChange()
  const now = useNow()
  const listed = (entry: Entry) => {
    const { key, figure, remove, ...rest } = row(entry, now)
    const { request, ...button } = remove
    return (
      <Row
        key={key}
        {...rest}
        actions={
          <>
            {figure === undefined ? null : <span className="text-muted">{figure}</span>}
            <ConfirmButton {...button} onAct={() => change(request())} />
          </>
        }
      />
    )
  }
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
          {entries.length === 0 ? empty : <Rows aria-label={section.title}>{entries.map(listed)}</Rows>}
        </>
      )}
    </OwnerSection>
  )
}
