import { newId } from '@waystation/base/ids.ts'
import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { Question } from '@waystation/protocol/call/question.ts'
import type { OpenExternalCall } from '@waystation/protocol/external-agent/calls.ts'
import { z } from 'zod'
import type { Opening } from '#lib/engine/calls/open.ts'
import { askQuestion } from '#lib/tools/ask-question.ts'

/** Returns the call to open for a request of the external agent `agentName`. `key` is the key of the request. */
export function openingOf(request: OpenExternalCall, agentName: string, key: string | undefined): Opening {
  const { title, detail, deadlineSeconds, onDeadline, answerPolicy } = request
  const { render, ...kind } = kindOf(request, agentName)
  return {
    toolCallId: newId('call'),
    where: 'asker',
    title,
    ...kind,
    render: {
      ...render,
      ...(detail === undefined ? {} : { detail }),
      ...(key === undefined ? {} : { key })
    },
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    ...(onDeadline === undefined ? {} : { onDeadline }),
    ...(answerPolicy === undefined ? {} : { answer: answerPolicy })
  }
}

type OfKind = Pick<Opening, 'kind' | 'toolName' | 'input' | 'inputSchema' | 'outputSchema'> & {
  render: NonNullable<Opening['render']>
}

function kindOf(request: OpenExternalCall, agentName: string): OfKind {
  switch (request.kind) {
    case 'approval': {
      const { title, input, inputSchema } = request
      return {
        kind: 'approval',
        toolName: 'request-approval',
        input: input ?? {},
        ...(inputSchema === undefined ? {} : { inputSchema }),
        render: {
          kind: 'approval',
          title,
          act: 'Approve',
          ...(inputSchema === undefined ? {} : { editable: true })
        }
      }
    }
    case 'question': {
      const input = Question.parse(request.question)
      const schema = z.toJSONSchema(askQuestion.outputFor?.(input) ?? z.unknown(), { io: 'input' })
      return {
        kind: 'question',
        toolName: askQuestion.name,
        input,
        outputSchema: schema as JsonSchema,
        render: { kind: 'question' }
      }
    }
    case 'form': {
      const { outputSchema, title } = request
      const properties = outputSchema.properties
      const order = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
      return {
        kind: 'question',
        toolName: 'request-form',
        input: {},
        outputSchema,
        render: {
          kind: 'elicit',
          service: agentName,
          message: title,
          schema: outputSchema,
          order,
          question: 'form'
        }
      }
    }
    case 'connection': {
      const { integration, slug } = request
      return {
        kind: 'connection',
        toolName: 'request_connection',
        input: { integration, ...(slug === undefined ? {} : { slug }) },
        render: { kind: 'connect' }
      }
    }
  }
}
