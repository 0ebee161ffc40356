import type { Authority } from '@waystation/protocol/connection/integration.ts'

/** A client of an authorization server, and its authentication method at the token endpoint. */
export type Client = Pick<Authority, 'clientId' | 'clientAuth'>
