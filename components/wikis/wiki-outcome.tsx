import { Fault } from '#components/ui/fault.tsx'
import type { WikiResult } from './import-file.ts'

type WikiOutcomeProps = { said: WikiResult | undefined; importing?: boolean }

/** Shows the result of creating a wiki or of importing a file. */
export const WikiOutcome = ({ said, importing }: WikiOutcomeProps) => (
  <>
    <p role="status" data-hook="import-notice" className={importing || said?.ok ? '' : 'sr-only'}>
      {importing ? 'Importing…' : said?.ok ? said.words : ''}
    </p>
    <Fault data-hook="import-error">{said && !said.ok ? said.words : ''}</Fault>
  </>
)
