'use client'
import type { ConfiguredProvider, Models as ListedModels } from '@waystation/protocol/workspace/models.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { knownModels } from '#components/forms/known-models.ts'
import { FormModel } from '#components/forms/model-picker.tsx'
import { Button } from '#components/ui/button.tsx'
import { ModelProviderForm } from './model-provider-form.tsx'
import { ModelProviderRow } from './model-provider-row.tsx'
import { TestModel } from './test-model.tsx'
import { useChange } from './use-change.ts'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

type ModelsProps = { workspace: Workspace | undefined; models: ListedModels }

/** The model providers of the workspace and its default model. `workspace` is undefined if the user is not an owner. */
export const Models = ({ workspace, models }: ModelsProps) => (
  <WorkspaceSection
    title="Models"
    hook="models"
    saved={workspace}
    ownersOnly="Only workspace owners can configure model providers."
    intro="Agents use models of these providers. Waystation stores keys encrypted and never shows them again. A new key is used from the next step on."
  >
    {saved => (
      <>
        <Providers models={models} />
        <div className="flex flex-col gap-6 border-t pt-4">
          <SettingForm workspace={saved} setting="defaultModel" act="Save default model">
            <FormModel
              name="defaultModel"
              label="Default model"
              hint="Agents with the model “default” use it."
              known={knownModels(models)}
              unset={null}
            />
          </SettingForm>
          <TestModel known={knownModels(models)} />
        </div>
      </>
    )}
  </WorkspaceSection>
)

function Providers({ models }: { models: ListedModels }) {
  const { change, fault } = useChange()
  /** The provider that the form edits, `new`, or undefined without a form. */
  const [edited, setEdited] = useState<ConfiguredProvider | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <>
      <ul aria-label="Model providers" className="border-t">
        {models.providers.map(provider => (
          <ModelProviderRow
            key={provider.name}
            provider={provider}
            onEdit={() => setEdited(provider)}
            onRemove={() =>
              change(client.call('removeModelProvider', { path: { name: provider.name } })).then(close)
            }
          />
        ))}
      </ul>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {edited === undefined ? (
        <Button className="self-start" data-hook="add-provider" onClick={() => setEdited('new')}>
          Add provider
        </Button>
      ) : (
        <ModelProviderForm
          key={edited === 'new' ? '' : edited.name}
          models={models}
          edited={edited === 'new' ? undefined : edited}
          onClose={close}
        />
      )}
    </>
  )
}
