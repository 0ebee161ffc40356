import type { Models } from '@waystation/protocol/workspace/models.ts'
import { useFormContext } from 'react-hook-form'
import { knownModels } from '#components/forms/known-models.ts'
import { FormModel } from '#components/forms/model-picker.tsx'
import { Button } from '#components/ui/button.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { ModelTested, useModelTest } from './test-model.tsx'

/** Selects the default model in the form around it, and tests it before or after it is saved. */
export function DefaultModel({ models, isAutomatic }: { models: Models; isAutomatic: boolean }) {
  const chosen: string | null = useFormContext().watch('defaultModel')
  const { test, busy, said } = useModelTest(chosen ?? 'default')
  return (
    <Rows>
      <Row
        name="Default model"
        about={
          missing(chosen ?? (isAutomatic ? models.defaultModel : ''), models) ??
          'For agents with the model “default”.'
        }
        actions={
          <>
            <div className="w-[min(288px,calc(100vw-120px))]">
              <FormModel
                name="defaultModel"
                aria-label="Default model"
                known={knownModels(models)}
                standard={isAutomatic ? `${models.defaultModel} (automatic)` : 'Automatic'}
                unset={null}
              />
            </div>
            <Button data-hook="test-model" disabled={busy} onClick={() => void test()}>
              Test
            </Button>
          </>
        }
      >
        <ModelTested said={said} />
      </Row>
    </Rows>
  )
}

/** Says that no provider lists a model. A provider without known models can have any. */
function missing(model: string, { providers }: Models): string | undefined {
  const prefix = model.split('/')[0]
  const provider = providers.find(({ name }) => name === prefix)
  if (model === '' || provider?.models.length === 0 || provider?.models.includes(model)) return undefined
  return provider === undefined
    ? `No provider here is called “${prefix}”.`
    : `Not listed by ${provider.title}. Test it before you save.`
}
