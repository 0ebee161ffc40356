import { Dialog } from '#components/ui/dialog.tsx'
import { Choice } from './choice.tsx'

/** What waits for a yes: the act, and what goes with it, in words. */
export type Asked = { what: 'rerun' | 'delete'; goes: string | undefined }

const questions = {
  rerun: {
    title: 'Run it again from here?',
    says: ['The answer is written anew.', 'What tools did stays done.'],
    act: 'Run it again'
  },
  delete: {
    title: 'Delete this turn?',
    says: [
      'The message and what the agent did after it go out of the conversation, and the agent knows nothing of them any more.',
      'What tools did stays done, and the log keeps what was said.'
    ],
    act: 'Delete the turn'
  }
} as const

/** Asks before something of the conversation goes that a person may miss. */
export function TurnQuestion({ asked, onAnswer }: { asked: Asked; onAnswer: (yes: boolean) => void }) {
  const { title, says, act } = questions[asked.what]
  return (
    <Dialog
      open
      onOpenChange={open => (open ? undefined : onAnswer(false))}
      title={title}
      description={[says[0], asked.goes, says[1]].filter(Boolean).join(' ')}
    >
      <Choice act={act} onAct={() => onAnswer(true)} onKeep={() => onAnswer(false)} />
    </Dialog>
  )
}
