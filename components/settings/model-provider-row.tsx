import type { ConfiguredProvider } from '@waystation/protocol/workspace/models.ts'
import { useState } from 'react'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Input } from '#components/ui/input.tsx'
import { Row } from '#components/workspace/rows.tsx'
import { savedWords } from './ago.ts'
import { ModelTested, useModelTest } from './test-model.tsx'

type ModelProviderRowProps = {
  provider: ConfiguredProvider
  onEdit: () => void
  onRemove: () => Promise<unknown>
}

/**
 * A model provider in the list, with a button that tests its first known model. Without known models, the user enters
 * one. Providers of the server's environment cannot be changed here.
 */
export function ModelProviderRow({ provider, onEdit, onRemove }: ModelProviderRowProps) {
  const { name, kind, title, source, models, savedBy, savedAt } = provider
  const now = useNow()
  const [typed, setTyped] = useState('')
  const model = models[0] ?? (typed.trim() && `${name}/${typed.trim()}`)
  const { test, busy, said } = useModelTest(model)
  const isOurs = source === 'workspace'
  const origin =
    kind === 'demo'
      ? 'Follows fixed rules, at no cost'
      : isOurs && savedAt !== undefined
        ? savedWords(savedAt, savedBy, now)
        : "From the server's environment"
  return (
    <Row
      name={
        <>
          {title} <span className="pl-1 font-normal text-muted">{origin}</span>
        </>
      }
      about={
        models.length > 1 ? (
          <details>
            <summary className="tap w-fit content-center">{models.length} models</summary>
            <ul className="pl-[17px] font-mono text-mono">
              {models.map(model => (
                <li key={model}>{model}</li>
              ))}
            </ul>
          </details>
        ) : (
          <p className="font-mono text-mono">{models[0] ?? `${name}/…`}</p>
        )
      }
      actions={
        <>
          {models.length === 0 ? (
            <Input
              aria-label={`Model of ${name} to test`}
              placeholder="Model"
              value={typed}
              maxLength={150}
              onChange={event => setTyped(event.target.value)}
              className="w-28"
              mono
            />
          ) : null}
          <Button
            data-hook="test-provider"
            aria-label={`Test ${name}`}
            disabled={busy || model === ''}
            onClick={() => void test()}
          >
            Test
          </Button>
          {isOurs ? (
            <>
              <Button data-hook="edit-provider" aria-label={`Edit ${name}…`} onClick={onEdit}>
                Edit…
              </Button>
              <ConfirmButton
                data-hook="remove-provider"
                aria-label={`Remove ${name}…`}
                title={`Remove the model provider “${name}”?`}
                description="Its key is deleted. Agents with its models fail at their next step, unless the server has this provider too."
                act="Remove provider"
                onAct={onRemove}
              >
                Remove…
              </ConfirmButton>
            </>
          ) : null}
        </>
      }
    >
      <ModelTested said={said} />
    </Row>
  )
}
