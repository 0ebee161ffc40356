import { SessionPage } from '#components/shell/session-page.tsx'
import { getAgent } from '#lib/agents/get.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { permissionsOf } from '#lib/auth/permissions.ts'
import { signedIn } from '#lib/auth/signed-in.ts'
import { getSession } from '#lib/sessions/get-session.ts'

type Props = { params: Promise<{ sessionId: string }> }

export default async function Session({ params }: Props) {
  const ctx = await signedIn()
  const { sessionId } = await params
  const { session, ...snapshot } = await orNotFound(getSession(ctx, { sessionId }))
  const agent = await getAgent(ctx, { agentId: session.agentId })
  return (
    <SessionPage
      key={sessionId}
      sessionId={sessionId}
      initial={snapshot}
      me={permissionsOf(ctx.actor)}
      agent={{
        agentId: session.agentId,
        displayName: agent.displayName,
        revision: agent.revision,
        ...(agent.type === 'external'
          ? { external: true, tools: [], config: agent.external }
          : {
              tools: agent.chat.tools.flatMap(tool => ('@ag.embed' in tool || 'mcp' in tool ? [] : [tool])),
              ...(agent.chat.starters === undefined ? {} : { starters: agent.chat.starters }),
              config: agent.chat
            })
      }}
    />
  )
}
