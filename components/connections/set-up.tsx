'use client'
import type { IntegrationConfig, ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useEffect, useState } from 'react'
import { unreachable } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
import { ServiceForm } from './service-form.tsx'

/** The configuration of a service, always without the client secret. */
type Configured = { config: IntegrationConfig; hasClientSecret: boolean; own: boolean }

type SetUpProps = { integration: ListedIntegration; onClose: (said?: string) => void }

/** Loads the configuration of a service and shows the form to edit it. Only owners can load it. */
export function SetUp({ integration: { integration, service, redirectUri }, onClose }: SetUpProps) {
  const [now, setNow] = useState<Configured>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    let wanted = true
    void httpTo('')<Configured>('GET', `/api/integrations/${integration}`).then(reply => {
      if (!wanted) return
      if (reply.ok) setNow(reply.body)
      else setFault(reply.lost ? `${unreachable} Close the setup and try again.` : reply.refusal.error)
    })
    return () => {
      wanted = false
    }
  }, [integration])
  if (now === undefined)
    return (
      <p
        role={fault === '' ? 'status' : 'alert'}
        className={`pt-3 ${fault === '' ? 'text-muted' : 'text-fail'}`}
      >
        {fault || 'Loading…'}
      </p>
    )
  return (
    <div className="pt-3">
      <ServiceForm
        label={`Set up ${service}`}
        before={now.config}
        own={now.own}
        hasClientSecret={now.hasClientSecret && now.own}
        redirectUri={redirectUri}
        onSaved={({ modes }) =>
          onClose(modes.length > 0 ? 'Saved.' : 'Saved. To connect accounts, set a client ID first.')
        }
        onRemoved={() => onClose('The setup was removed.')}
        onClose={() => onClose()}
      />
    </div>
  )
}
