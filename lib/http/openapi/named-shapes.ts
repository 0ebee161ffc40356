import { ApiKey } from '#lib/auth/keys/list-keys.ts'
import { Agent, AgentConfig, AgentInContext, AgentTool, ChatConfig } from '#lib/protocol/agent/agent.ts'
import { AgentRevision, ConfigChange, DraftState } from '#lib/protocol/agent/agent-revision.ts'
import { CatalogueEntry, CatalogueItem } from '#lib/protocol/agent/catalogue.ts'
import { ListedTool } from '#lib/protocol/agent/listed-tool.ts'
import { Answered, Call } from '#lib/protocol/call/call.ts'
import { Grant } from '#lib/protocol/call/grant.ts'
import { WaitingCall } from '#lib/protocol/call/waiting-call.ts'
import { Delivery, Resent } from '#lib/protocol/external-agent/delivery.ts'
import { OobEdge } from '#lib/protocol/out-of-band/oob-edge.ts'
import { OobPolicy, OobReceipt, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { ViewBlock, ViewComponent } from '#lib/protocol/plugin/plugin-view.ts'
import { RefusalBody } from '#lib/protocol/refusal.ts'
import { Alarm } from '#lib/protocol/session/alarm.ts'
import { ContextView } from '#lib/protocol/session/context.ts'
import { SessionEvent, SessionStatus, TurnError } from '#lib/protocol/session/event.ts'
import { ExportLine } from '#lib/protocol/session/export.ts'
import { StoredFile } from '#lib/protocol/session/file.ts'
import { ListedSession } from '#lib/protocol/session/listed-session.ts'
import { Message } from '#lib/protocol/session/message.ts'
import { MessageDelivery } from '#lib/protocol/session/message-delivery.ts'
import { SendReceipt } from '#lib/protocol/session/session.ts'
import { Session, SessionView } from '#lib/protocol/session/session-view.ts'
import { SkinnyTiddler, Tiddler, Wiki } from '#lib/protocol/wiki/wiki.ts'
import { Health } from '#lib/protocol/workspace/health.ts'

/** Shapes that have a name in the reference. Wherever an answer contains one, the reference links to it. */
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
  KeptFile: StoredFile,
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
