import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import type { ReactNode } from 'react'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { type Setting, useWorkspaceForm } from './use-workspace-form.ts'

type WorkspaceSectionProps<Saved> = {
  title: string
  hook?: string
  /** The saved settings. Undefined if the user is not an owner. */
  saved: Saved | undefined
  /** Shown instead of the settings if the user is not an owner. */
  ownersOnly: string
  /** The text above the settings. */
  intro: ReactNode
  children: (saved: Saved) => ReactNode
}

/** A section with settings that only owners of the workspace can view and change. */
export function WorkspaceSection<Saved>(props: WorkspaceSectionProps<Saved>) {
  const { saved, ownersOnly, intro, children, ...section } = props
  return (
    <Section {...section}>
      {saved === undefined ? (
        <p className="text-muted">{ownersOnly}</p>
      ) : (
        <>
          <p className="max-w-[68ch]">{intro}</p>
          {children(saved)}
        </>
      )}
    </Section>
  )
}

type SettingFormProps<Name extends Setting> = {
  workspace: Workspace
  setting: Name
  /** Returns what the server receives. */
  inputOf?: (values: Pick<Workspace, Name>) => Pick<Workspace, Name>
  /** The label of the button that saves. */
  act: string
  children: ReactNode
}

/** The form of one setting of the workspace, with its fields as children. */
export function SettingForm<Name extends Setting>(props: SettingFormProps<Name>) {
  const { workspace, setting, inputOf, act, children } = props
  const { of, save, line } = useWorkspaceForm(setting, workspace, inputOf)
  return (
    <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
      {children}
      <SaveLine act={act} {...line} />
    </SchemaForm>
  )
}
