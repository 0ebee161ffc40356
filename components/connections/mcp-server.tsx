'use client'
import type { CheckedState, McpServerOffer } from '@waystation/protocol/connection/mcp.ts'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError, readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { UsedBy } from '#components/workspace/used-by.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { Health } from './mcp-health.tsx'
import { ToolList } from './mcp-tools.tsx'
import { useConnecting } from './use-connecting.ts'

/**
 * An MCP server with its health, agents and tools. Editors can check it again and accept tool definitions. `give` gives
 * its tools to an agent.
 */
export function ServerView({ first, give }: { first: McpServerOffer; give?: ReactNode }) {
  const router = useRouter()
  const { me } = useWorkspace()
  const { connecting, connect } = useConnecting()
  const [server, setServer] = useState(first)
  const [said, setSaid] = useState<{ ok: boolean; words: string }>()
  const { server: name, service, about, health, agents, offers, resources, prompts } = server
  const path = { server: name }
  const [check, busy] = useAction(async () => {
    setSaid(undefined)
    const reply = await replyTo(client.call('checkMcpServer', { path }))
    if (!reply.ok) return setSaid({ ok: false, words: readError(reply) })
    const { found, ...now } = reply.body
    setServer(now)
    // `give` comes from the server, with the tools that it knows.
    router.refresh()
    setSaid({ ok: found === 'ok', words: wordsOf(found, service, now) })
  })
  const also = [...(resources ? ['resources'] : []), ...(prompts ? ['prompts'] : [])].join(' and ')
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5 [overflow-wrap:anywhere]">
          <p>{about}</p>
          <Health health={health} />
          <p className="text-muted">
            {agents.length === 0 ? (
              'No agent uses this server.'
            ) : (
              <>
                <UsedBy agents={agents} verb={['uses it', 'use it']} />.
              </>
            )}{' '}
            {also === '' ? '' : `It also has ${also}.`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {health.state === 'account' && me.mayAnswer ? (
            <Button
              tone="primary"
              data-hook="sign-in-at-server"
              onClick={() => connect({ integration: name, service, slug: name, sharing: 'user' })}
            >
              Connect account
            </Button>
          ) : null}
          {me.mayEdit ? (
            <Button onClick={() => void check()} disabled={busy} data-hook="check-server">
              {busy ? 'Checking…' : 'Check server'}
            </Button>
          ) : null}
          {offers.length === 0 ? null : give}
        </div>
      </div>
      <div className="empty:hidden">
        <p role="status" data-hook="server-outcome" className="empty:hidden">
          {said?.ok ? said.words : ''}
        </p>
        <Fault data-hook="server-error">{said && !said.ok ? said.words : ''}</Fault>
        {connecting.map(one => (
          <ConnectLine key={one.target.slug} connecting={one} />
        ))}
      </div>
      {health.state === 'failed' && offers.length === 0 ? null : (
        <ToolList
          tools={offers}
          accept={async (tool, digest) => {
            const reply = await replyTo(client.call('acceptMcpTool', { path, body: { tool, digest } }))
            if (!reply.ok) return changeError(reply)
            setServer(reply.body)
            setSaid({ ok: true, words: `Accepted the current definition of ${tool}.` })
            return undefined
          }}
          wasListed={health.state !== 'unchecked'}
        />
      )}
    </div>
  )
}

function wordsOf(found: CheckedState, service: string, { health, offers }: McpServerOffer): string {
  switch (found) {
    case 'ok':
      return `${service} responded with ${offers.length} ${offers.length === 1 ? 'tool' : 'tools'}.`
    case 'account':
      return `${service} requires a connected account, but neither you nor the workspace has one that works.`
    case 'failed':
      return health.state === 'failed'
        ? `Couldn't list the tools of ${service}.`
        : `Couldn't list the tools of ${service} this time. Try again.`
  }
}
