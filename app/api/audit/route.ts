import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'
import { listAudit } from '#lib/sessions/list-audit.ts'

export const GET = route(externalOperations.audit, listAudit)
