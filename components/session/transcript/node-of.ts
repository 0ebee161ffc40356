import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { alarmSender } from '@waystation/protocol/session/alarm-message.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { failedStatusOf } from '#components/session/wording/call-words.ts'
import { isUnreceived } from '#components/session/wording/out-of-band-words.ts'
import type { Node } from './rail.tsx'

/** Returns the node that the rail shows at a row. */
export function nodeOf(row: Row, mayAnswer: boolean): Node {
  switch (row.kind) {
    case 'person':
      return row.message.metadata?.sentBy === alarmSender ? 'bell' : 'person'
    case 'pending':
      return row.send.tell === undefined ? 'person' : 'bell'
    case 'tool':
      return row.call === undefined ? 'running' : nodeOfCall(row.call, mayAnswer)
    case 'wait':
      return 'break'
    case 'working':
      return 'running'
    case 'sent':
      return row.delivery.state === 'failed' ? 'failed' : 'none'
    case 'notice':
      return row.notice.kind === 'failed' ? 'failed' : row.notice.kind === 'restarted' ? 'break' : 'refused'
    case 'hook':
      return row.run.outcome === 'failed' ? 'failed' : row.run.outcome === 'cancelled' ? 'refused' : 'none'
    case 'oob':
      return isUnreceived(row.told) ? 'refused' : 'bell'
    default:
      return 'none'
  }
}

function nodeOfCall(call: Call, mayAnswer: boolean): Node {
  if (failedStatusOf(call) !== undefined) return 'warned'
  if (isWaiting(call)) return !waitsForPerson(call) ? 'wait-other' : mayAnswer ? 'wait-you' : 'wait-approver'
  switch (call.state) {
    case 'open':
      return 'running'
    case 'approved':
      return call.ranAt === undefined ? 'running' : 'settled'
    case 'answered':
      return call.kind === 'server' ? 'done' : 'settled'
    case 'failed':
      return 'failed'
    default:
      return 'refused'
  }
}
