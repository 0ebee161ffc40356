import { bind } from '#lib/http/endpoint.ts'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { route } from '#lib/http/route.ts'
import { getPrompt } from '#lib/sessions/get-prompt.ts'
import { listPrompts } from '#lib/sessions/list-prompts.ts'

export const promptEndpoints = bind(promptOperations, {
  list: operation => route(operation, listPrompts),
  get: operation => route(operation, getPrompt)
})
