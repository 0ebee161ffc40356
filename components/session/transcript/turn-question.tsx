import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** An action that needs confirmation. `goes` is a sentence about what else it removes or cancels. */
export type TurnRequest = { what: 'rerun' | 'delete'; goes: string | undefined }

const questions = {
  rerun: {
    title: 'Run again from here?',
    says: ['The agent writes a new reply.', 'Effects of earlier tool calls are not undone.'],
    act: 'Run again'
  },
  delete: {
    title: 'Delete this turn?',
    says: [
      "This removes the message and the agent's reply from the conversation. The agent forgets both.",
      'Effects of tool calls are not undone, and the log still contains the text.'
    ],
    act: 'Delete turn'
  }
} as const

/** A dialog that asks before an action removes a part of the conversation. */
export function TurnQuestion({ asked, onAnswer }: { asked: TurnRequest; onAnswer: (yes: boolean) => void }) {
  const { title, says, act } = questions[asked.what]
  return (
    <Dialog
      open
      onOpenChange={open => (open ? undefined : onAnswer(false))}
      title={title}
      description={[says[0], asked.goes, says[1]].filter(Boolean).join(' ')}
    >
      <ConfirmButtons act={act} onAct={() => onAnswer(true)} onKeep={() => onAnswer(false)} />
    </Dialog>
  )
}
