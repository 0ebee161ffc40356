import { ToIcon } from '#components/ui/icons.tsx'

/** "to", as a form. */
export const Arrow = () => (
  <>
    <span className="inline-block align-[-3px] text-rail">
      <ToIcon />
    </span>
    <span className="sr-only"> to </span>
  </>
)
