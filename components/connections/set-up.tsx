import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { client } from '#components/browser/client.ts'
import { errorText } from '#components/browser/error-text.ts'
import { useRead } from '#components/browser/queries.tsx'
import { ServiceForm } from './service-form.tsx'

type SetUpProps = { integration: ListedIntegration; onClose: (said: string) => void }

/** Loads the configuration of a service and shows the form to edit it. Only owners can load it. */
export function SetUp({ integration: { integration, service, redirectUri }, onClose }: SetUpProps) {
  const { data, error, isFetching } = useRead({
    queryKey: ['service', integration],
    queryFn: () => client.call('getIntegration', { path: { integration } })
  })
  // The form starts with this data, so it must not be from before the last change.
  if (data === undefined || isFetching)
    return (
      <p
        role={error === null ? 'status' : 'alert'}
        className={`pt-3 ${error === null ? 'text-muted' : 'text-fail'}`}
      >
        {error === null ? 'Loading…' : errorText({ error }, 'Close the setup and try again.')}
      </p>
    )
  return (
    <div className="pt-3">
      <ServiceForm label={`Set up ${service}`} saved={data} redirectUri={redirectUri} onClose={onClose} />
    </div>
  )
}
