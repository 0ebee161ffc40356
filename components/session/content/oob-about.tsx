import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { useSessionState } from '#components/session/store/session-context.ts'
import { replacementOf, replaces } from '#components/session/wording/out-of-band-words.ts'
import { Quote } from './quote.tsx'

/** Shows what an out-of-band message is about or replaces, and which later one replaces it (004-17). */
export function OobAbout({ told }: { told: OutOfBand }) {
  const all = useSessionState(({ transcript }) => transcript.outOfBand)
  const relatedTo = told.metadata?.relatedTo
  const replacement = replacementOf(told, all)
  return (
    <>
      {relatedTo === undefined ? null : replaces(told, all[relatedTo]) ? (
        <Quote data-hook="replaces" label="Replaces" of={relatedTo} />
      ) : (
        <Quote data-hook="about" label="About" of={relatedTo} />
      )}
      {replacement === undefined ? null : (
        <Quote data-hook="replaced-by" label="Replaced by" of={replacement.id} />
      )}
    </>
  )
}
