import { listAgentSecrets, rotateAgentSecret } from '#lib/deliveries/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(externalOperations.secrets, listAgentSecrets)
export const POST = route(externalOperations.rotate, rotateAgentSecret)
