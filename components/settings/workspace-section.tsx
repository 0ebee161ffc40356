import type { ReactNode } from 'react'
import { Section } from '#components/ui/section.tsx'

type WorkspaceSectionProps<Saved> = {
  title: string
  hook?: string
  /** The saved settings. Undefined if the user is not an owner. */
  saved: Saved | undefined
  /** Shown instead of the settings if the user is not an owner. */
  ownersOnly: string
  children: (saved: Saved) => ReactNode
}

/** A section with settings that only owners of the workspace can view and change. */
export function WorkspaceSection<Saved>({
  saved,
  ownersOnly,
  children,
  ...props
}: WorkspaceSectionProps<Saved>) {
  return (
    <Section {...props}>
      {saved === undefined ? <p className="text-muted">{ownersOnly}</p> : children(saved)}
    </Section>
  )
}
