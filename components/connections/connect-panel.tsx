import { ConnectionName, type ConnectMode } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useState } from 'react'
import { otherWay } from '#components/session/wording/connect-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { Target } from './use-connecting.ts'

/** How each way connects an account, for the first one that a service offers. */
const ways: Record<ConnectMode, (service: string) => string> = {
  oauth: service => `You sign in at ${service} in a new window.`,
  device: service => `You enter a code at ${service} in a new window.`,
  api_key: service => `You enter an API token from ${service} in a new window.`
}

const whose = [
  { value: 'user', label: 'For me:', means: 'agents use it for my requests' },
  { value: 'workspace', label: 'For the workspace:', means: 'agents use it in every session' }
] as const

type ConnectPanelProps = {
  integration: ListedIntegration
  connect: (target: Target) => void
  onCancel: () => void
}

/**
 * Selects who can use a new account, its name, and how to connect it. Submitting opens a window of the
 * service.
 */
export function ConnectPanel({ integration: listed, connect, onCancel }: ConnectPanelProps) {
  const { me } = useWorkspace()
  const { integration, service, modes, connections } = listed
  const [sharing, setSharing] = useState<Target['sharing']>(
    me.mayEdit && listed.sharing === 'workspace' ? 'workspace' : 'user'
  )
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const [first, ...others] = modes
  const isThere = connections.some(({ slug, state }) => slug === integration && state === 'active')

  const go = (mode: ConnectMode | undefined) => {
    const slug = ConnectionName.safeParse(name.trim() || integration)
    setFault(slug.success ? undefined : slug.error.issues[0]?.message)
    if (slug.success)
      connect({ integration, service, slug: slug.data, sharing, ...(mode === undefined ? {} : { mode }) })
  }
  return (
    <form
      aria-label={`Connect ${service}`}
      data-hook="connect-panel"
      onSubmit={event => {
        event.preventDefault()
        go(first)
      }}
      className="flex max-w-[480px] flex-col gap-3 pt-3"
    >
      {first === undefined ? null : <p data-hook="connect-way">{ways[first](service)}</p>}
      {me.mayEdit ? (
        <RadioList
          legend="Account access"
          hideLegend
          value={sharing}
          onChange={setSharing}
          options={whose.map(({ value, label, means }) => ({
            value,
            label: (
              <>
                {label} <span className="text-muted">{means}</span>
              </>
            )
          }))}
        />
      ) : null}
      <details open={isThere}>
        <summary className="tap max-mid:leading-[44px]">Another account</summary>
        <div className="pt-2">
          <Field
            name="slug"
            label="Connection name"
            hint={`Agents tell accounts apart by this name, such as ${integration}-work. Leave empty for ${integration}${isThere ? ', which replaces the current connection' : ''}.`}
            placeholder={integration}
            value={name}
            onChange={setName}
            fault={fault}
            mono
          />
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary">
          Connect {service}
        </Button>
        {others.map(mode => (
          <Button key={mode} data-hook={`connect-by-${mode}`} onClick={() => go(mode)}>
            {otherWay[mode]}
          </Button>
        ))}
        <Button data-hook="cancel-connect" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
