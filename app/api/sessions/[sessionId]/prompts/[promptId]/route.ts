import { promptOperations } from '#lib/http/operations/prompts.ts'
import { route } from '#lib/http/route.ts'
import { getPrompt } from '#lib/sessions/get-prompt.ts'

export const GET = route(promptOperations.get, getPrompt)
