import { randomBytes } from 'node:crypto'

/** Returns a new secret that signs a workspace's answer links, answer pages and callback links. */
export const newLinkSecret = (): string => randomBytes(32).toString('base64url')
