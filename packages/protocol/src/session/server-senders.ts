import { connectionSender } from '@waystation/protocol/connection/connected-message.ts'
import { alarmSender } from './alarm-message.ts'

/** The identities under which the server writes messages of its own. They contain no text of other people. */
export const serverSenders: readonly string[] = [alarmSender, connectionSender].map(name => `system:${name}`)
