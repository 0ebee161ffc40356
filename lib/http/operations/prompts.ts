import {
  InPrompt,
  ListPrompts,
  PreviewPrompt,
  PromptPage,
  PromptPreview,
  StoredPrompt
} from '@waystation/protocol/session/prompt.ts'
import { operation } from '#lib/http/operation.ts'

/** Only workspace members can call these, because a prompt contains the agent's instructions. */
export const promptOperations = {
  list: operation({
    id: 'listPrompts',
    method: 'GET',
    path: '/api/sessions/{sessionId}/prompts',
    summary: 'List the prompts of each step, newest first, without their text',
    actor: 'user',
    scope: 'read',
    input: ListPrompts,
    answer: PromptPage,
    errors: ['NOT_FOUND']
  }),
  get: operation({
    id: 'getPrompt',
    method: 'GET',
    path: '/api/sessions/{sessionId}/prompts/{promptId}',
    summary: 'Get the complete prompt of one step',
    actor: 'user',
    scope: 'read',
    input: InPrompt,
    answer: StoredPrompt,
    errors: ['NOT_FOUND']
  }),
  preview: operation({
    id: 'previewPrompt',
    method: 'POST',
    path: '/api/sessions/{sessionId}/prompts/preview',
    summary: 'Preview the prompt of the next step with a message, with the changes of plugins',
    actor: 'user',
    scope: 'send',
    input: PreviewPrompt,
    answer: PromptPreview,
    errors: ['NOT_FOUND', 'CONFLICT']
  })
}
