import {
  Agent,
  AgentConfig,
  AgentInContext,
  AgentTool,
  ChatConfig
} from '@waystation/protocol/agent/agent.ts'
import { AgentRevision, DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { CatalogueEntry, CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import { Answered, Call } from '@waystation/protocol/call/call.ts'
import { Grant } from '@waystation/protocol/call/grant.ts'
import { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { Connection } from '@waystation/protocol/connection/connection.ts'
import { McpServer, McpServerOffer } from '@waystation/protocol/connection/mcp.ts'
import { ErrorBody } from '@waystation/protocol/error-body.ts'
import { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'
import { Delivery, Resent } from '@waystation/protocol/external-agent/delivery.ts'
import { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { OobEdge, ToldMessage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { OobPolicy, OobReceipt, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { PluginDetails, PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { ViewBlock, ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { Alarm } from '@waystation/protocol/session/alarm.ts'
import { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { ContextView } from '@waystation/protocol/session/context.ts'
import { Chunk, SessionEvent, SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'
import { ExportLine } from '@waystation/protocol/session/export.ts'
import { StoredFile } from '@waystation/protocol/session/file.ts'
import { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { Message, MessageMetadata } from '@waystation/protocol/session/message.ts'
import { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { ListedPrompt, StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { SendReceipt } from '@waystation/protocol/session/session.ts'
import { Session, SessionView } from '@waystation/protocol/session/session-view.ts'
import { SkinnyTiddler, Tiddler, Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { WikiChange } from '@waystation/protocol/wiki/wiki-change.ts'
import { Health } from '@waystation/protocol/workspace/health.ts'
import { ApiKey } from '#lib/auth/keys/list-keys.ts'
import { Member } from '#lib/auth/members/member.ts'

/** Shapes that have a name in the reference. Wherever an answer contains one, the reference links to it. */
export const namedShapes = {
  Agent,
  AgentConfig,
  AgentInContext,
  AgentRevision,
  AgentStatus,
  AgentTool,
  Alarm,
  Answered,
  ApiKey,
  Call,
  CatalogueEntry,
  CatalogueItem,
  ChatConfig,
  Chunk,
  ConfigChange,
  Connection,
  Context: ContextView,
  Delivery,
  DraftState,
  ExportLine,
  Grant,
  Health,
  HeldMessage,
  StoredFile,
  ListedPrompt,
  ListedSession,
  McpServer,
  McpServerOffer,
  Member,
  Message,
  MessageDelivery,
  MessageMetadata,
  OobEdge,
  OobMessage: ToldMessage,
  OobPolicy,
  OobReceipt,
  OutOfBand,
  ApiError: ErrorBody,
  PluginDetails,
  PluginStatus,
  Resent,
  SendReceipt,
  Session,
  SessionEvent,
  SessionStatus,
  SessionView,
  SkinnyTiddler,
  StoredPrompt,
  Tiddler,
  Tool: ListedTool,
  TurnError,
  TurnResult,
  ViewBlock,
  ViewComponent,
  WaitingCall,
  Wiki,
  WikiChange
}
