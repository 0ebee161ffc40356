'use client'
import type { Result } from '@waystation/client'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { errorText } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { ServiceForm } from './service-form.tsx'

type SetUpProps = { integration: ListedIntegration; onClose: (said?: string) => void }

/** Loads the configuration of a service and shows the form to edit it. Only owners can load it. */
export function SetUp({ integration: { integration, service, redirectUri }, onClose }: SetUpProps) {
  const [now, setNow] = useState<Result<'getIntegration'>>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    let wanted = true
    void replyTo(client.call('getIntegration', { path: { integration } })).then(reply => {
      if (!wanted) return
      if (reply.ok) setNow(reply.body)
      else setFault(errorText(reply, 'Close the setup and try again.'))
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
