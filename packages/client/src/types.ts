import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Json } }
}
  ? Json
  : never

/** A session at one moment: what it is, its last 50 messages, what it waits for, and where its events go on. */
export type SessionView = Schemas['SessionView']
export type Session = Schemas['Session']
export type SessionStatus = Schemas['SessionStatus']
export type ListedSession = Schemas['ListedSession']
/** A message in the shape of the AI SDK's `UIMessage`: a part is told by its `type`. */
export type Message = Schemas['Message']
/** The data of the part `data-delivery` of a message to an external agent: whether that accepted it. */
export type MessageDelivery = Schemas['MessageDelivery']
export type Resent = Schemas['Resent']
/** A tool call that somebody answers; unanswered it is `open`. */
export type Call = Schemas['Call']
/** An open call and where it stands. */
export type WaitingCall = Schemas['WaitingCall']
/** An event of the log. New types may come: ignore those you do not know. */
export type SessionEvent = Schemas['SessionEvent']
export type SendReceipt = Schemas['SendReceipt']
export type Answered = Schemas['Answered']
/** An out-of-band message with the times of its receipts. */
export type OutOfBand = Schemas['OutOfBand']
export type OobReceipt = Schemas['OobReceipt']
/** What a session lets in out of band. */
export type OobPolicy = Schemas['OobPolicy']
/** Who told whom out of band, how often, and what last. */
export type OobEdge = Schemas['OobEdge']
/** A file that was uploaded to a session; a message names it by its `id`. */
export type KeptFile = Schemas['KeptFile']
export type ApiError = Schemas['ApiError']

/** What settles a call: `{output}`, `{approved, reason?, input?}`, `{declined: true, reason?}` or `{error}`. */
export type Answer = Body<'answerCall'>
/** A piece of a person's message: text, or a file: a small one as a `data:` URL, an uploaded one by its `url`. */
export type UserPart = NonNullable<Body<'sendMessage'>['parts']>[number]
/** What happens to a message that comes while the agent works. */
export type WhenBusy = NonNullable<Body<'sendMessage'>['whenBusy']>
/** A tool that this client answers itself. */
export type ClientTool = NonNullable<Body<'sendMessage'>['clientTools']>[number]
/** What is said beside an out-of-band message; people and session tokens leave `source` and `sourceId` out. */
export type SendOob = Body<'sendOutOfBand'>
export type CreateSession = Body<'createSession'>
export type ListSessions = NonNullable<operations['listSessions']['parameters']['query']>
