import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { ToIcon } from '#components/ui/icons.tsx'
import { receiverWords, senderWords } from './edge.ts'

/** The sender and the receiver of messages. Screen readers read the arrow between them as "to". */
export const Ends = ({ from, to }: Pick<OobEdge, 'from' | 'to'>) => (
  <span className="flex min-w-0 flex-wrap gap-x-2 font-semibold">
    <span className="max-w-full truncate">{senderWords(from)}</span>
    <span className="flex max-w-full min-w-0 gap-x-2">
      <span className="inline-block align-[-3px] text-rail">
        <ToIcon />
      </span>
      <span className="sr-only"> to </span>
      <span className="min-w-0 truncate">{receiverWords(to)}</span>
    </span>
  </span>
)
