import type { StepModel } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import { observer, type WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { redactModel } from '#lib/models/redact-model.ts'
import { sdkFastPath } from '#lib/models/sdk-fast-path.ts'
import { textTools } from '#lib/models/text-tools/text-tools.ts'
import { takesUserAfterTools } from '#lib/models/user-after-tools.ts'
import type { RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { TurnError } from '#lib/protocol/session/event.ts'
import { messageTokens } from './message-tokens.ts'
import type { TurnServices } from './turn-host.ts'

/** The model that an agent names. `files`: how many its prompt has as they are. */
export function stepModel(
  services: TurnServices,
  ctx: Ctx,
  watched: WatchedTurn,
  chat: RunnableChat,
  files: number
): StepModel {
  const named = () => services.model(chat, ctx.workspaceId)
  const open = () => {
    const model = chat.toolCalling === 'text' ? textTools(named()) : named()
    const { redaction } = ctx.ports
    return redaction === undefined ? model : redactModel(model, redaction, ctx.workspaceId)
  }
  return {
    open,
    openStream: () => sdkFastPath(open()),
    userAfterTools() {
      // Its results are user messages, and those next to each other are one.
      if (chat.toolCalling === 'text') return true
      const model = named()
      return chat.userAfterTools ?? takesUserAfterTools(typeof model === 'string' ? model : model.modelId)
    },
    tokensOf: words => (typeof words === 'string' ? countTokens(words) : messageTokens(words)),
    ask: ask => watched.ask(() => ask(observer().telemetry)),
    describeError: error => turnError(withFiles(services.describeError(error), files)),
    describeFinish(reason, raw) {
      const problem = services.describeFinish(reason, raw)
      return problem && turnError(problem)
    }
  }
}

/** Adds to a provider's 400 that the request had files: providers often do not name them as the cause. */
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
