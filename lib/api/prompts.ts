import { getPrompt } from '#lib/features/prompts/get-prompt.ts'
import { listPrompts } from '#lib/features/prompts/list-prompts.ts'
import { bind } from '#lib/http/endpoint.ts'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { route } from '#lib/http/route.ts'

export const promptEndpoints = bind(promptOperations, {
  list: operation => route(operation, listPrompts),
  get: operation => route(operation, getPrompt),
  preview: operation => route(operation, (ctx, input) => ctx.ports.previewPrompt(ctx, input))
})
