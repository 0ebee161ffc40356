'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import { type ReactNode, useId, useState } from 'react'
import { SaveBar } from '#components/forms/save-bar.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { sectionAt } from './sections.ts'
import { type Setting, useWorkspaceForm } from './use-workspace-form.ts'

type SettingSectionProps = {
  title: string
  /** The `data-hook` by which scripts and tests find the section. */
  hook?: string
  /** A sentence below the title. */
  intro?: ReactNode
  /** The button at the right of the title. Below an empty list, it is the way to start. */
  action?: ReactNode
  isEmpty?: boolean
  children?: ReactNode
}

/** A section of the settings: its title with a sentence and an action, and its content. */
export function SettingSection({ title, hook, intro, action, isEmpty, children }: SettingSectionProps) {
  const id = useId()
  // The page has the title of the section.
  const isTitle = sectionAt(usePathname()) === title
  return (
    <section
      aria-labelledby={id}
      data-hook={hook}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-4"
    >
      <div className={clsx('max-mid:col-span-full', isTitle && intro === undefined && 'absolute')}>
        <h2 id={id} className={isTitle ? 'sr-only' : 'text-person font-semibold'}>
          {title}
        </h2>
        {intro === undefined ? null : <p className="max-w-[68ch] text-muted">{intro}</p>}
      </div>
      {/* The same element in both places, because a dialog moves the focus back to its button. */}
      <div
        className={
          isEmpty
            ? 'order-last col-span-full -mt-6 justify-self-center empty:hidden'
            : 'empty:hidden max-mid:col-span-full'
        }
      >
        {action}
      </div>
      <div className="col-span-full flex min-w-0 flex-col gap-4 empty:hidden">{children}</div>
    </section>
  )
}

type OwnerSectionProps<Saved> = Omit<SettingSectionProps, 'action' | 'children'> & {
  /** The saved settings. Undefined if the user is not an owner. */
  saved: Saved | undefined
  action?: (saved: Saved) => ReactNode
  children: (saved: Saved) => ReactNode
}

/** A section with settings that only owners of the workspace can view and change. */
export function OwnerSection<Saved>({
  saved,
  intro,
  action,
  children,
  ...section
}: OwnerSectionProps<Saved>) {
  return (
    <SettingSection {...section} intro={intro} action={saved === undefined ? null : action?.(saved)}>
      {saved === undefined ? (
        <p data-hook="owners-only" className="border-t pt-4">
          Only workspace owners can view and change this. Ask one of them.
        </p>
      ) : (
        children(saved)
      )}
    </SettingSection>
  )
}

type SettingFormProps<Name extends Setting> = {
  workspace: Workspace
  settings: readonly Name[]
  /** Returns the texts of a dialog, if these values need confirmation. */
  confirm?: (values: Pick<Workspace, Name>) => { title: string; description: string; act: string } | undefined
  children: ReactNode
}

/** A form for settings of the workspace, with its fields as children. */
export function SettingForm<Name extends Setting>(props: SettingFormProps<Name>) {
  const { workspace, settings, confirm, children } = props
  const { of, save, bar } = useWorkspaceForm(settings, workspace)
  const [asked, setAsked] = useState(false)
  const asks = confirm?.(of.values)
  return (
    <SchemaForm
      of={of}
      onSubmit={values => (asks === undefined ? save(values) : setAsked(true))}
      className="flex flex-col gap-4"
    >
      {children}
      <SaveBar {...bar} />
      {asks === undefined ? null : (
        <Dialog open={asked} onOpenChange={setAsked} title={asks.title} description={asks.description}>
          <ConfirmButtons
            act={asks.act}
            onAct={() => {
              setAsked(false)
              void save(of.values)
            }}
            onKeep={() => setAsked(false)}
          />
        </Dialog>
      )}
    </SchemaForm>
  )
}
