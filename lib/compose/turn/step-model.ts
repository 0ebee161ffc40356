import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { TurnError } from '@waystation/protocol/session/event.ts'
import { sdkFastPath } from '@waystation/text-stream'
import { textTools } from '@waystation/text-tools'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import type { PromptSource, StepModel } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import { observer, type WatchedTurn } from '#lib/kernel/ports/observer.ts'
import type { CallSettings } from '#lib/models/call-settings.ts'
import { mergeOptions } from '#lib/models/merge-options.ts'
import type { OriginOf } from '#lib/models/providers/plugin.ts'
import { redactModel } from '#lib/models/redact-model.ts'
import { takesUserAfterTools } from '#lib/models/user-after-tools.ts'
import { handlerModel, handlerOf } from './handler-model.ts'
import { messageTokens } from './message-tokens.ts'
import type { TurnModels, TurnServices } from './turn-services.ts'

/** Returns what a prompt depends on in its model. `originOf` is for a plugin's model. */
export const promptModel = (
  models: TurnModels,
  chat: RunnableChat,
  originOf: OriginOf = async () => ({})
): PromptSource['model'] => ({
  name: models.nameOf(chat.model),
  userAfterTools() {
    // Text tool results are user messages, and adjacent user messages are merged.
    if (chat.toolCalling === 'text') return true
    const model = models.model(chat, originOf)
    return chat.userAfterTools ?? takesUserAfterTools(typeof model === 'string' ? model : model.modelId)
  },
  tokensOf: content => (typeof content === 'string' ? countTokens(content) : messageTokens(content))
})

/** Returns the model of a step. `files` is the number of attached files in its prompt. */
export function stepModel(
  services: TurnServices,
  models: TurnModels,
  ctx: Ctx,
  watched: WatchedTurn,
  chat: RunnableChat,
  { agentId, sessionId, files }: { agentId: string; sessionId: string; files: number },
  originOf: OriginOf,
  onOpen: (opened: RunnableChat) => void
): StepModel {
  const name = models.nameOf(chat.model)
  /** The model that answers the step. */
  let answeringModel = chat.model
  const createModel = (opened = chat) => models.model(opened, originOf)
  /** Returns the agent's handler as a model, or the model itself. */
  const answering = (model: LanguageModel): LanguageModel => {
    const { handler: id = 'chat' } = chat
    if (id === 'chat') return model
    const handler = handlerOf(services.plugins, id)
    const { workspaceId } = ctx
    return handlerModel(id, handler, model as LanguageModelV4, { workspaceId, sessionId, agentId })
  }
  const open = (opened = chat, streamed = false) => {
    const bare = chat.toolCalling === 'text' ? textTools(createModel(opened)) : createModel(opened)
    const model = streamed ? answering(withSettings(bare, models.settingsOf(opened))) : bare
    const { redaction } = ctx.ports
    return redaction === undefined ? model : redactModel(model, redaction, ctx.workspaceId)
  }
  return {
    ...promptModel(models, chat, originOf),
    open: () => open(),
    openStream(chosen) {
      // The agent's price is the price of its own model.
      const opened = chosen === name ? chat : { ...chat, model: chosen, price: undefined }
      answeringModel = opened.model
      onOpen(opened)
      return sdkFastPath(open(opened, true))
    },
    ask: ask => watched.ask(() => ask(observer().telemetry)),
    describeError: error => turnError(withFiles(models.describeError(error, answeringModel), files)),
    describeFinish(reason, raw) {
      const problem = services.describeFinish(reason, raw)
      return problem && turnError(problem)
    }
  }
}

/** Returns a model that is called with these settings. */
const withSettings = (model: LanguageModel, settings: CallSettings): LanguageModel =>
  Object.keys(settings).length === 0
    ? model
    : wrapLanguageModel({
        model: model as LanguageModelV4,
        middleware: {
          specificationVersion: 'v4',
          transformParams: async ({ params }) => ({
            ...params,
            ...settings,
            providerOptions: mergeOptions(params.providerOptions, settings.providerOptions)
          })
        }
      })

/**
 * Adds to a provider's 400 that the request had files, because providers often do not name them as the cause.
 */
const withFiles = (problem: ModelProblem, files: number): ModelProblem =>
  files === 0 || problem.code !== 'BAD_REQUEST'
    ? problem
    : {
        ...problem,
        message: `${problem.message} The request had ${files === 1 ? 'an attached file' : `${files} attached files`}. If the model does not accept files, set "attachments" of the agent, or delete the turn with the file.`
      }

const turnError = ({
  code,
  message,
  retryable,
  retryAfterMs
}: ModelProblem): TurnError & { retryAfterMs?: number } => ({
  code,
  message,
  retryable,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs })
})
