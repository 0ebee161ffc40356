import type { CallbackReceipt } from '#lib/protocol/callback.ts'
import type { Message } from '#lib/protocol/message.ts'

/** A port (bound in `world.ts`): what a process does for many replies of external agents at once, since they come in floods. */
export type Replies = {
  /** What is stored of a link's claim; undefined: its workspace is not there. */
  find: (claim: CallbackClaim) => Promise<FoundClaim | undefined>
  /** Where a link led a while ago, which may have changed since: `place` judges its stamp. */
  remembered: (link: CallbackLink) => StoredPlace | undefined
  /** Remembers where a genuine link leads. */
  remember: (link: CallbackLink, place: StoredPlace) => void
  /** Resolves after the commit. */
  place: (reply: WholeReply) => Promise<PlacedReply>
}

/** What a callback link claims: which life of which session of which workspace. */
export type CallbackClaim = {
  workspaceId: string
  sessionKey: number
  generation: number
  sessionId: string
}

/** A claim, signed. */
export type CallbackLink = CallbackClaim & { signature: string }

/** The workspace's link secret, by which the claim is judged, and the session it names, if that lives. */
export type FoundClaim = { linkSecret: string } & (StoredPlace | { sessionKey: null })

/**
 * A session of an external agent as it is stored. `sealed`: the secrets its agent signs with, a JSON array. `stamp`: a digest
 * of everything a reply is admitted by.
 */
export type StoredPlace = {
  sessionKey: number
  workspaceId: string
  agentId: string
  generation: number
  agentName: string
  sealed: string
  stamp: string
}

/**
 * A whole reply, admitted, for one life of one session. `digest`: of what is said, beside a `key`. `stamp`: of what it was
 * admitted by.
 */
export type WholeReply = {
  sessionKey: number
  generation: number
  stamp: string
  key?: string
  digest?: string
  receipt: CallbackReceipt
  message: Message
  text: string
  agentName: string
  credential: string
}

/** What became of it (0018 of the migrations); `known`: this key was answered before. */
export type PlacedReply =
  | { outcome: 'placed' | 'writing' | 'gone' | 'stale' }
  | { outcome: 'known'; digest: string; receipt: string }
