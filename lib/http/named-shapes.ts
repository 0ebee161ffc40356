import { ApiKey } from '#lib/auth/list-keys.ts'
import { Agent, AgentConfig, AgentInContext, AgentTool, ChatConfig } from '#lib/protocol/agent.ts'
import { AgentRevision, ConfigChange, DraftState } from '#lib/protocol/agent-revision.ts'
import { Alarm } from '#lib/protocol/alarm.ts'
import { Answered, Call } from '#lib/protocol/call.ts'
import { CatalogueEntry, CatalogueItem } from '#lib/protocol/catalogue.ts'
import { ContextView } from '#lib/protocol/context.ts'
import { Delivery, Resent } from '#lib/protocol/delivery.ts'
import { SessionEvent, SessionStatus, TurnError } from '#lib/protocol/event.ts'
import { ExportLine } from '#lib/protocol/export.ts'
import { KeptFile } from '#lib/protocol/file.ts'
import { Grant } from '#lib/protocol/grant.ts'
import { Health } from '#lib/protocol/health.ts'
import { ListedSession } from '#lib/protocol/listed-session.ts'
import { ListedTool } from '#lib/protocol/listed-tool.ts'
import { Message } from '#lib/protocol/message.ts'
import { MessageDelivery } from '#lib/protocol/message-delivery.ts'
import { OobEdge } from '#lib/protocol/oob-edge.ts'
import { OobPolicy, OobReceipt, OutOfBand } from '#lib/protocol/out-of-band.ts'
import { ViewBlock, ViewComponent } from '#lib/protocol/plugin-view.ts'
import { RefusalBody } from '#lib/protocol/refusal.ts'
import { SendReceipt } from '#lib/protocol/session.ts'
import { Session, SessionView } from '#lib/protocol/session-view.ts'
import { WaitingCall } from '#lib/protocol/waiting-call.ts'
import { SkinnyTiddler, Tiddler, Wiki } from '#lib/protocol/wiki.ts'

/** The shapes that have a name in the reference; wherever an answer holds one, it refers to it. */
export const namedShapes = {
  Agent,
  AgentConfig,
  AgentInContext,
  AgentRevision,
  AgentTool,
  Alarm,
  Answered,
  ApiKey,
  Call,
  CatalogueEntry,
  CatalogueItem,
  ChatConfig,
  ConfigChange,
  Context: ContextView,
  Delivery,
  DraftState,
  ExportLine,
  Grant,
  Health,
  KeptFile,
  ListedSession,
  Message,
  MessageDelivery,
  OobEdge,
  OobPolicy,
  OobReceipt,
  OutOfBand,
  Refusal: RefusalBody,
  Resent,
  SendReceipt,
  Session,
  SessionEvent,
  SessionStatus,
  SessionView,
  SkinnyTiddler,
  Tiddler,
  Tool: ListedTool,
  TurnError,
  ViewBlock,
  ViewComponent,
  WaitingCall,
  Wiki
}
