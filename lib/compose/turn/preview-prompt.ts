import { ApiError } from '@waystation/base/api-error.ts'
import type { PromptPreview } from '@waystation/protocol/session/prompt.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import { WindowCache } from '#lib/engine/context/window-cache.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { promptFor } from '#lib/engine/turn/assemble-prompt.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import { agentOfSessionIfAny } from '#lib/engine/worker/running-agent.ts'
import type { PromptPreviewer } from '#lib/features/prompts/extensions.ts'
import { notRedactedText, storedMessage } from '#lib/features/prompts/stored-message.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'
import { wikiToolsOf } from '#lib/tools/resolve.ts'
import { sessionOrigin } from '#lib/tools/session-origin.ts'
import { definitionsOf } from '#lib/tools/tool-definition.ts'
import { createSetup, createSetups, withAcknowledgeFor } from './setup.ts'
import { promptModel } from './step-model.ts'
import { promptTools } from './tool-set.ts'
import { turnFiles } from './turn-files.ts'
import type { TurnServices } from './turn-services.ts'

/** Time limit of all plugins together, in milliseconds. */
const timeoutMs = 30_000

/**
 * Returns a function that assembles the prompt that the next step would send if a message with this text arrived now,
 * and lets the plugins change it. Nothing is stored and no model is called. MCP servers are not asked for their tools:
 * the known ones count. Input that waits in the inbox is not included.
 */
export const promptPreviewer =
  (services: TurnServices): PromptPreviewer =>
  async (ctx, { sessionId, text }) => {
    const sessionKey = await sessionKeyOf(ctx, sessionId)
    const [running, session, window] = await Promise.all([
      agentOfSessionIfAny(ctx, sessionKey),
      readSession(ctx, sessionKey),
      new WindowCache().read(ctx, sessionKey)
    ])
    const { config } = running ?? {}
    if (running === undefined || config?.type !== 'chat')
      throw new ApiError(
        'CONFLICT',
        'The agent of this session builds its own prompts. Preview the session of a chat agent.'
      )
    const created = await createSetup(ctx, createSetups(), { sessionKey, ...session }, { ...running, config })
    const draft: ContextEntry = {
      id: 0,
      kind: 'user',
      parts: [{ type: 'text', text }],
      tokens: countTokens(text)
    }
    const entries = text === '' ? window.entries : [...window.entries, draft]
    const { chat, tools } = withAcknowledgeFor(entries, created)
    const context = {
      workspaceId: ctx.workspaceId,
      ...(await sessionOrigin(ctx, sessionKey)),
      agentId: config.agentId,
      turnId: 'preview',
      run: { input: text, rounds: 0, resumed: false },
      model: chat.model,
      wikiTools: wikiToolsOf(tools)
    }
    const options = { signal: AbortSignal.timeout(timeoutMs), report: () => undefined }
    const hosted = (await ctx.ports.plugins?.ready(ctx.workspaceId)) ?? []
    const filters = [{ name: durationFilter.name, onFailure: 'continue' as const }]
    const parts = {
      ...window,
      entries,
      files: await turnFiles(
        ctx,
        sessionKey,
        ctx.ports.fileLimits.promptBytes
      )(entries, await ctx.ports.acceptedFiles(ctx, chat)),
      instructions: chat.instructions,
      tools: promptTools(tools),
      hooks: await hooksOf(services.plugins, chat.plugins, context, options, hosted),
      serverHooks: () => hooksOf(services.plugins, filters, context, options),
      model: promptModel(await services.modelsOf(ctx), chat)
    }
    const prompt = await promptFor(parts).catch((error: unknown) => {
      throw new ApiError('CONFLICT', services.describeError(error).message)
    })
    if ('kind' in prompt) throw new ApiError('CONFLICT', prompt.error.message)
    const definitions = definitionsOf(prompt.tools)
    return {
      model: prompt.model,
      instructions: redactedOr(ctx, 'message', prompt.instructions, notRedactedText),
      tools: JSON.parse(definitions) as PromptPreview['tools'],
      messages: prompt.messages.map(message => storedMessage(ctx, message)) as PromptPreview['messages'],
      states: prompt.states,
      estimated: (prompt.states.at(-1)?.tokens ?? 0) + countTokens(definitions)
    }
  }

async function readSession(ctx: Ctx, sessionKey: number) {
  const [row] = await ctx.sql<{ generation: number; clientTools: DeclaredTool[] }[]>`
    select h.generation, s.client_tools from sessions s join heads h on h.session_key = s.key where s.key = ${sessionKey}`
  return row ?? { generation: 0, clientTools: [] }
}
