import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'
import { callbackLinkOf } from '#lib/sessions/callback-link-of.ts'

export const GET = route(externalOperations.link, callbackLinkOf)
