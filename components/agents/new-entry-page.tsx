'use client'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { EntryForm } from './entry-form.tsx'

/** The form that adds an entry to the workspace's catalog. */
export function NewEntryPage() {
  const { me } = useWorkspace()
  return (
    <Page title="New entry" above={{ href: '/catalogue', label: 'Catalog' }}>
      <div>
        {me.mayEdit ? (
          <EntryForm />
        ) : (
          <p className="text-muted">
            You can view the catalog but not change it. Ask an editor or owner for access.
          </p>
        )}
      </div>
    </Page>
  )
}
