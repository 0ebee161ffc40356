import { ApiKey } from '#lib/auth/keys/list-keys.ts'
import { Agent, AgentConfig, AgentInContext, AgentTool, ChatConfig } from '#protocol/agent/agent.ts'
import { AgentRevision, ConfigChange, DraftState } from '#protocol/agent/agent-revision.ts'
import { CatalogueEntry, CatalogueItem } from '#protocol/agent/catalogue.ts'
import { ListedTool } from '#protocol/agent/listed-tool.ts'
import { Answered, Call } from '#protocol/call/call.ts'
import { Grant } from '#protocol/call/grant.ts'
import { WaitingCall } from '#protocol/call/waiting-call.ts'
import { Delivery, Resent } from '#protocol/external-agent/delivery.ts'
import { OobEdge } from '#protocol/out-of-band/oob-edge.ts'
import { OobPolicy, OobReceipt, OutOfBand } from '#protocol/out-of-band/out-of-band.ts'
import { ViewBlock, ViewComponent } from '#protocol/plugin/plugin-view.ts'
import { RefusalBody } from '#protocol/refusal.ts'
import { Alarm } from '#protocol/session/alarm.ts'
import { ContextView } from '#protocol/session/context.ts'
import { SessionEvent, SessionStatus, TurnError } from '#protocol/session/event.ts'
import { ExportLine } from '#protocol/session/export.ts'
import { StoredFile } from '#protocol/session/file.ts'
import { ListedSession } from '#protocol/session/listed-session.ts'
import { Message } from '#protocol/session/message.ts'
import { MessageDelivery } from '#protocol/session/message-delivery.ts'
import { SendReceipt } from '#protocol/session/session.ts'
import { Session, SessionView } from '#protocol/session/session-view.ts'
import { SkinnyTiddler, Tiddler, Wiki } from '#protocol/wiki/wiki.ts'
import { Health } from '#protocol/workspace/health.ts'

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
