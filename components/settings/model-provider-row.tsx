import type { ConfiguredProvider } from '@waystation/protocol/workspace/models.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Row } from '#components/workspace/rows.tsx'
import { savedWords } from './ago.ts'

type ModelProviderRowProps = {
  provider: ConfiguredProvider
  onEdit: () => void
  onRemove: () => Promise<unknown>
}

/** A model provider in the list. Those of the server's environment cannot be changed here. */
export function ModelProviderRow({ provider, onEdit, onRemove }: ModelProviderRowProps) {
  const { name, kind, title, source, savedBy, savedAt } = provider
  const now = useNow()
  const isOurs = source === 'workspace'
  return (
    <Row
      name={
        <>
          {title} <span className="font-mono text-mono font-normal text-muted">{name}/…</span>
        </>
      }
      about={
        kind === 'demo'
          ? 'Follows fixed rules, at no cost'
          : isOurs && savedAt !== undefined
            ? savedWords(savedAt, savedBy, now)
            : "From the server's environment"
      }
      actions={
        isOurs ? (
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
        ) : undefined
      }
    />
  )
}
