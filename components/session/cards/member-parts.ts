import type { MemberParts } from '#components/session/store/session-context.ts'
import { ApproveAll } from './approve-all.tsx'
import { AnswerCommand } from './widgets/answer-command.tsx'
import { ArgumentFields } from './widgets/argument-fields.tsx'
import { Approve } from './widgets/remember.tsx'

/** The parts of cards for workspace members. Only the playground imports them. */
export const memberParts: MemberParts = { ApproveAll, Approve, ArgumentFields, AnswerCommand }
