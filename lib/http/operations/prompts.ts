import { operation } from '#lib/http/operation.ts'
import { InPrompt, KeptPrompt, ListPrompts, PromptPage } from '#lib/protocol/session/prompt.ts'

/** For the people of a workspace: an agent's instructions stand in what it is given. */
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
    refusals: ['NOT_FOUND']
  }),
  get: operation({
    id: 'getPrompt',
    method: 'GET',
    path: '/api/sessions/{sessionId}/prompts/{promptId}',
    summary: 'Get the complete prompt of one step',
    actor: 'user',
    scope: 'read',
    input: InPrompt,
    answer: KeptPrompt,
    refusals: ['NOT_FOUND']
  })
}
