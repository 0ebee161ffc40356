import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import {
  type CompleteRequest,
  type CompleteResponseSchema,
  FinishReason,
  LLMProvider
} from '@waystation/plugin-host/generated/llm_pb.ts'
import { type CallContext, contextOf, type Registrations } from './context.ts'
import type { ModelPart, ModelRequest } from './model-types.ts'
import { streaming } from './services.ts'
import type { SettingFields } from './settings.ts'

/** Streams the answer of a model. */
export type Model<Fields extends SettingFields> = (
  request: ModelRequest,
  context: CallContext<Fields>
) => AsyncIterable<ModelPart>

/** Serves the model. */
export function serveModel<Fields extends SettingFields>(
  router: ConnectRouter,
  model: Model<Fields>,
  registrations: Registrations<Fields>
): void {
  router.service(LLMProvider, {
    complete: streaming(async function* (request: CompleteRequest, call) {
      for await (const part of model(requestOf(request), contextOf(registrations, call))) yield toWire(part)
    })
  })
}

const requestOf = ({
  model,
  messages,
  availableTools,
  temperature,
  maxTokens,
  topP
}: CompleteRequest): ModelRequest => ({
  model,
  messages: messages.map(({ role, content, toolCalls, toolCallId }) => ({
    role: role as ModelRequest['messages'][number]['role'],
    content,
    toolCalls: toolCalls.map(({ id, name, argumentsJson }) => ({ id, name, argumentsJson })),
    toolCallId
  })),
  tools: availableTools.map(({ name, description, parametersJsonSchema }) => ({
    name,
    description,
    parameters: JSON.parse(parametersJsonSchema || '{"type":"object"}')
  })),
  temperature: shortest(temperature),
  maxTokens,
  topP: shortest(topP)
})

/** The protocol has 32-bit numbers, and 0.3 arrives as 0.30000001192092896. Returns the shortest number that it means. */
const shortest = (float: number | undefined) => float && Number(float.toPrecision(7))

const reasons = {
  stop: FinishReason.STOP,
  'tool-use': FinishReason.TOOL_USE,
  'max-tokens': FinishReason.MAX_TOKENS,
  other: FinishReason.FINISH_REASON_UNSPECIFIED
}

function toWire(part: ModelPart): MessageInitShape<typeof CompleteResponseSchema> {
  switch (part.type) {
    case 'text':
      return { event: { case: 'delta', value: { content: part.text } } }
    case 'tool-call': {
      const { id, name = '', chunk } = part
      return { event: { case: 'toolCallDelta', value: { id, name, argumentsChunk: chunk } } }
    }
    case 'usage': {
      // An estimate can have a fraction, which the protocol cannot.
      const [inputTokens, outputTokens] = [Math.round(part.inputTokens), Math.round(part.outputTokens)]
      return { event: { case: 'usage', value: { inputTokens, outputTokens } } }
    }
    case 'finish':
      return { event: { case: 'finish', value: { reason: reasons[part.reason] } } }
  }
}
