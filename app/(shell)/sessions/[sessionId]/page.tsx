import { SessionPage } from '#components/shell/session-page.tsx'
import { getAgent } from '#lib/agents/get.ts'
import { getRevision } from '#lib/agents/get-revision.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { getSession } from '#lib/sessions/get-session.ts'

type Props = { params: Promise<{ sessionId: string }> }

export default async function Session({ params }: Props) {
  const ctx = await requireSignIn()
  const { sessionId } = await params
  const { session, ...snapshot } = await orNotFound(getSession(ctx, { sessionId }))
  const { agentId, pinnedRevision } = session
  const agent = await getAgent(ctx, { agentId })
  const config =
    pinnedRevision === undefined
      ? agent
      : (await getRevision(ctx, { agentId, revision: pinnedRevision })).config
  return (
    <SessionPage
      key={sessionId}
      sessionId={sessionId}
      initial={snapshot}
      {...(session.parent === undefined ? {} : { parent: session.parent })}
      branchedFrom={session.branchedFrom}
      me={permissionsOf(ctx.actor)}
      agent={{
        agentId,
        displayName: agent.displayName,
        ...(agent.description === undefined ? {} : { description: agent.description }),
        revision: pinnedRevision ?? agent.revision,
        published: agent.revision,
        ...(session.attaching === undefined ? {} : { attaching: session.attaching }),
        ...(config.type === 'external'
          ? { external: true, tools: [], config: config.external }
          : {
              tools: config.chat.tools.flatMap(tool =>
                '@ag.embed' in tool || 'mcp' in tool || 'plugin' in tool ? [] : [tool]
              ),
              ...(config.chat.starters === undefined ? {} : { starters: config.chat.starters }),
              config: config.chat
            })
      }}
    />
  )
}
