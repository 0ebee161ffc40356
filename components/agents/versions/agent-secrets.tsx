import type { SigningSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { clock } from '#components/browser/format-time.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ShownOnce } from '#components/workspace/shown-once.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

type AgentSecretsProps = { agentId: string; external: boolean; secrets: readonly SigningSecret[] }

/** The secrets that sign the requests of an agent. After a rotation, the old secrets stay valid for a day. */
export function AgentSecrets({ agentId, external, secrets }: AgentSecretsProps) {
  const router = useRouter()
  const { me } = useWorkspace()
  const now = useNow()
  const [made, setMade] = useState<string>()
  const [fault, setFault] = useState('')
  const rotate = async () => {
    setFault('')
    const reply = await replyTo(client.call('rotateSecret', { path: { agentId }, body: {} }))
    if (!reply.ok) return setFault(changeError(reply))
    setMade(reply.body.secret)
    router.refresh()
  }
  return (
    <section aria-labelledby="signing" className="flex flex-col gap-3">
      <h2 id="signing" className="border-b pb-2 text-person font-semibold">
        Signing
      </h2>
      <p className="max-w-[68ch] text-muted">
        {external
          ? secrets.length === 0
            ? "Messages to this agent aren't signed. Its replies are authenticated by their callback link. With a secret, they must be signed too."
            : 'Messages to this agent are signed (Standard Webhooks). Its replies must be signed too, or include an API key.'
          : secrets.length === 0
            ? "Requests from this agent to other services aren't signed."
            : 'Requests from this agent to other services are signed (Standard Webhooks).'}
      </p>
      {secrets.length === 0 ? null : (
        <ol aria-label="Signing secrets" className="border-t">
          {secrets.map(({ secretId, createdBy, createdAt, retiresAt }) => (
            <li key={secretId} className="flex flex-wrap gap-x-4 border-b py-1">
              <span className="min-w-0 flex-1 truncate">Created by {createdBy}</span>
              <span className="text-muted">
                {now === undefined
                  ? ''
                  : retiresAt === undefined
                    ? `since ${clock(createdAt, now)}`
                    : `valid until ${clock(retiresAt, now)}`}
              </span>
            </li>
          ))}
        </ol>
      )}
      {made === undefined ? null : <ShownOnce what="secret" secret={made} close={() => setMade(undefined)} />}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {me.mayEdit ? (
        <div>
          <Button onClick={() => void rotate()}>
            {secrets.length === 0 ? 'Create secret' : 'Create new secret'}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
