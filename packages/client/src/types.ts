import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Json } }
}
  ? Json
  : never

/**
 * A session at one moment: its last 50 messages, its calls and its status. Events continue after `cursor`.
 */
export type SessionView = Schemas['SessionView']
/** A session without its messages. Data of its agent is missing if the agent was deleted. */
export type Session = Schemas['Session']
/** `parked`: the session waits for the answer to a call. `failed`: its last turn failed. */
export type SessionStatus = Schemas['SessionStatus']
/** A session in a list. `snippet` is the start of its last message, and `waitingFor` has its open calls. */
export type ListedSession = Schemas['ListedSession']
/** A message in the shape of the AI SDK's `UIMessage`. The `type` of a part tells its fields. */
export type Message = Schemas['Message']
export type MessagePart = Message['parts'][number]
/** Facts about a message: when it was accepted, its turn, and whether it is queued. */
export type MessageMetadata = Schemas['MessageMetadata']
/** A chunk of a message that is being written, in the shape of the AI SDK's `UIMessageChunk`. */
export type Chunk = Schemas['Chunk']
/** The data of a message's `data-delivery` part: whether the external agent accepted the message. */
export type MessageDelivery = Schemas['MessageDelivery']
/** The status line of an external agent. Show `text` as plain text until `expiresAt`. */
export type AgentStatus = Schemas['AgentStatus']
/** The delivery state of a message that was sent again. */
export type Resent = Schemas['Resent']
/** A tool call. It is `open` until it is settled. Times are ISO 8601. */
export type Call = Schemas['Call']
/** A pending call with its session. */
export type WaitingCall = Schemas['WaitingCall']
/** An out-of-band message that waits for approval, with its session. */
export type HeldMessage = Schemas['HeldMessage']
/** An event of a session. Ignore types that you do not know, because new ones can be added. */
export type SessionEvent = Schemas['SessionEvent']
/** The receipt of a message. `status` says if it started a turn, is queued, or steers the running turn. */
export type SendReceipt = Schemas['SendReceipt']
/** The receipt of an answer. `state` is the state of the call after it. */
export type Answered = Schemas['Answered']
/** An out-of-band message with the times of its receipts. */
export type OutOfBand = Schemas['OutOfBand']
/** The receipt of an out-of-band message. The agent receives the message with `queuePosition` 1 next. */
export type OobReceipt = Schemas['OobReceipt']
/** The out-of-band messages that a session accepts. */
export type OobPolicy = Schemas['OobPolicy']
/** A sender and a receiver of out-of-band messages, with the number of messages and the last one. */
export type OobEdge = Schemas['OobEdge']
/** A file that was uploaded to a session. A message refers to it by its `id`. */
export type StoredFile = Schemas['StoredFile']
/** An agent of the workspace with its published configuration. */
export type Agent = Schemas['Agent']
/** A published revision of an agent. */
export type AgentRevision = Schemas['AgentRevision']
/** An account that agents can use. */
export type Connection = Schemas['Connection']
/** The state of an attempt to connect an account. */
export type ConnectionAttempt = Schemas['GetConnectAttemptResponse']
/** A webhook, without its secret. */
export type Webhook = Schemas['ListWebhooksResponse']['webhooks'][number]
/** A session token, without its secret. */
export type SessionToken = Schemas['ListTokensResponse']['tokens'][number]
/** A new session token. `token` is its secret, which is not shown again. */
export type CreatedToken = Schemas['CreateTokenResponse']
/** The body of an error response. */
export type ApiError = Schemas['ApiError']

/**
 * Settles a call: `{output}`, `{approved, reason?, input?}`, `{declined: true, reason?}` or `{error}`. The
 * kind of the call decides which form is valid.
 */
export type Answer = Body<'answerCall'>
/** A part of a user's message: text, or a file. A file is a `data:` URL, or the `url` of an uploaded file. */
export type UserPart = NonNullable<Body<'sendMessage'>['parts']>[number]
/**
 * How to handle a message while the agent works: `reject` it, run it afterwards (`queue`), add it before the
 * next step (`steer`), or end the running turn (`interrupt`).
 */
export type WhenBusy = NonNullable<Body<'sendMessage'>['whenBusy']>
/** The item that the user looks at. */
export type Active = NonNullable<Body<'sendMessage'>['active']>
/** A tool that this client runs. Its calls stay open until a client that declares the tool answers them. */
export type ClientTool = NonNullable<Body<'sendMessage'>['clientTools']>[number]
/** An out-of-band message. Set `source` and `sourceId` only with an API key. */
export type SendOob = Body<'sendOutOfBand'>
/** The values of an out-of-band policy that a session sets itself. */
export type OwnOobPolicy = Body<'setOobPolicy'>
/** A session to create. Without `sessionId`, the server generates an ID, but external agents require one. */
export type CreateSession = Body<'createSession'>
/** Filters for a list of sessions, and its page: `cursor` and `limit`. */
export type ListSessions = NonNullable<operations['listSessions']['parameters']['query']>
/** The page of pending calls: `cursor`. With `mine`, only those that the caller can answer. */
export type ListWaiting = NonNullable<operations['listWaiting']['parameters']['query']>
/** An agent to create. */
export type CreateAgent = Body<'createAgent'>
/** The changes of a new revision. */
export type UpdateAgent = Body<'updateAgent'>
/** A tool or a skill in the catalog, without its content. */
export type CatalogueItem = Schemas['CatalogueItem']
/** A tool or a skill in the catalog. */
export type CatalogueEntry = Schemas['CatalogueEntry']
/** Filters for the catalog. */
export type ListCatalogue = NonNullable<operations['listCatalogue']['parameters']['query']>
/** An entry to add to the catalog. */
export type CreateCatalogueEntry = Body<'createCatalogueEntry'>
/** The next version of an entry. */
export type UpdateCatalogueEntry = Body<'updateCatalogueEntry'>
/** A webhook to create. */
export type CreateWebhook = Body<'createWebhook'>
/** A session token to create: its end user, its scopes, and its duration in seconds. */
export type CreateToken = Body<'createToken'>
/** An account to connect. */
export type StartConnection = Body<'beginConnect'>
/** How to connect the account of a call. */
export type ConnectCall = Body<'connectCall'>
/** The account that a call asked for, and whether this client can connect it. */
export type ConnectionOfCall = Schemas['GetConnectionOfCallResponse']
/** A started attempt. Open `url` in a window of the user. */
export type StartedConnection = Schemas['BeginConnectResponse']
/** The conversations that an external agent knows, in its order. */
export type ExternalSessions = Schemas['ListExternalSessionsResponse']
