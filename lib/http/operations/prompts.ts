import { operation } from '#lib/http/operation.ts'
import { InPrompt, KeptPrompt, ListPrompts, PromptPage } from '#lib/protocol/prompt.ts'

/** For the people of a workspace: an agent's instructions stand in what it is given. */
export const promptOperations = {
  list: operation({
    id: 'listPrompts',
    method: 'GET',
    path: '/api/sessions/{sessionId}/prompts',
    summary: 'What the model was given for each round, newest first, without the words',
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
    summary: 'What the model was given for one round, whole',
    actor: 'user',
    scope: 'read',
    input: InPrompt,
    answer: KeptPrompt,
    refusals: ['NOT_FOUND']
  })
}
