import { promptOperations } from '#lib/http/operations/prompts.ts'
import { route } from '#lib/http/route.ts'
import { listPrompts } from '#lib/sessions/list-prompts.ts'

export const GET = route(promptOperations.list, listPrompts)
