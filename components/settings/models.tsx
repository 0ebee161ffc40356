'use client'
import type { ConfiguredProvider, Models as ListedModels } from '@waystation/protocol/workspace/models.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Rows } from '#components/workspace/rows.tsx'
import { DefaultModel } from './default-model.tsx'
import { ModelProviderForm } from './model-provider-form.tsx'
import { ModelProviderRow } from './model-provider-row.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'
import { useChange } from './use-change.ts'

type ModelsProps = { workspace: Workspace | undefined; models: ListedModels }

/** The model providers of the workspace and its default model. `workspace` is undefined if the user is not an owner. */
export function Models({ workspace, models }: ModelsProps) {
  const { change, fault } = useChange()
  /** The provider that the form edits, `new`, or undefined without a form. */
  const [edited, setEdited] = useState<ConfiguredProvider | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <>
      <OwnerSection
        title="Models"
        hook="models"
        saved={workspace}
        intro="Agents use models of these providers. A test asks for one word, and can cost a fraction of a cent."
        action={() => (
          <Button tone="primary" data-hook="add-provider" onClick={() => setEdited('new')}>
            Add provider
          </Button>
        )}
      >
        {() => (
          <>
            <Fault>{fault}</Fault>
            <Rows aria-label="Model providers">
              {models.providers.map(provider => (
                <ModelProviderRow
                  key={provider.name}
                  provider={provider}
                  onEdit={() => setEdited(provider)}
                  onRemove={() =>
                    change(client.call('removeModelProvider', { path: { name: provider.name } }))
                  }
                />
              ))}
            </Rows>
          </>
        )}
      </OwnerSection>
      {workspace === undefined ? null : (
        <section aria-label="Default model" data-hook="default-model">
          <SettingForm workspace={workspace} settings={['defaultModel']}>
            <DefaultModel models={models} isAutomatic={workspace.defaultModel === null} />
          </SettingForm>
        </section>
      )}
      <Dialog
        open={edited !== undefined}
        onOpenChange={open => open || close()}
        title={edited === undefined || edited === 'new' ? 'Add provider' : `Edit ${edited.name}`}
      >
        <ModelProviderForm models={models} edited={edited === 'new' ? undefined : edited} onClose={close} />
      </Dialog>
    </>
  )
}
